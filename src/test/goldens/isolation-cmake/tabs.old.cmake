function(f)
	a()

	b(c
		d)
endfunction()

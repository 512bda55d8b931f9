function(f)
	if(USE_ROCM)
		x()
	else()
		a()

		b(c
			d)
	endif()
endfunction()

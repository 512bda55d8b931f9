int more;

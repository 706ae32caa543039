"""The site: pages are gathered, what the program itself can tell is written, Sphinx builds."""

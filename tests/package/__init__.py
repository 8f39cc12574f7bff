"""What is built to be installed: version, commit, sdist, wheel; and the habits that a release rests on."""

"""`python -m neardup`."""

from neardup.cli.app import main

main()

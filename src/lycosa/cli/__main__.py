"""`python -m lycosa.cli`: run the command line without the installed script."""

from lycosa.cli import main

main(prog_name="lycosa")

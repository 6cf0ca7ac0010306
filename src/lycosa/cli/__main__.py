"""`python -m lycosa.cli`: the command line without its script."""

from lycosa.cli import main

main(prog_name="lycosa")

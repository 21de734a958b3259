"""The command ``confmat`` as ``python -m confmat``."""

from confmat_start import main

main()

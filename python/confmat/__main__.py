"""The command ``confmat`` as ``python -m confmat``."""

from confmat_start import main

if __name__ == "__main__":
    main()

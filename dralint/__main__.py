"""`python -m dralint` is the command `dralint`."""

from dralint.cli.main import main

if __name__ == "__main__":
    main()

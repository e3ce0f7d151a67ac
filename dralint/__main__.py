"""The program: `dralint`, and `python -m dralint`."""

import gc

# What a run makes it keeps to its end, so that looking for garbage costs a tenth of its time and finds
# nothing; half a million containers are 100 MB. Set before the first import, which makes thousands.
gc.set_threshold(500_000)

from dralint.cli.main import main  # noqa: E402

if __name__ == "__main__":
    main()

"""``python -m seenbefore`` is the command ``seenbefore``."""

from .cli import main

if __name__ == "__main__":
    main()

"""`python -m falldamage_forge` is `fdforge`."""

from falldamage_forge.cli import main

if __name__ == "__main__":
    main()

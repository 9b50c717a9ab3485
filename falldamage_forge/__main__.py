"""Entry point of `python -m falldamage_forge`; the same as `fdforge`."""

from falldamage_forge.cli import start

if __name__ == "__main__":
    start()

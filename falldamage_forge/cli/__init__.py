"""The command line: each command is a file here, loaded only when it is called."""

from __future__ import annotations

import importlib
import sys

import click

COMMANDS = {
    "new": "Start a map of your own from a template.",
    "generate": "Make a playable map from a seed, of the pieces you own.",
    "search": "Search for maps of every kind, and pick those that differ most.",
    "check": "Prove that maps are legal and playable.",
    "build": "Turn a map into printable plates, lists and a manifest.",
    "show": "Draw a map: a picture in a file, or the board in the terminal.",
    "report": "Write one page about a map: picture, 3D view, verdicts, lists.",
    "sheets": "Write printable instructions for building a map.",
    "cards": "Write unit cards and hidden-item slips to print.",
    "analyze": "Measure how a map plays: fairness, choke points, falls, sight.",
    "reach": "List where a unit gets to, in one activation and in how many.",
    "path": "Show the quickest way from one place to another.",
    "push": "Tell where a pushed unit ends and what it falls.",
    "los": "Tell who sees whom, and what is in the way.",
    "targets": "List what a unit can attack from where it stands.",
    "ask": "Answer a question of the map's game: shoves, falls, ranges, chances.",
    "play": "Play the game on a map: against a bot, against yourself, from a saved game.",
    "replay": "Step through a recorded game, or write it as a page.",
    "playtest": "Let bots play maps many times, and measure what comes of it.",
    "conform": "Run worked situations of the game against the engine.",
    "compare": "Show a map under every game, side by side.",
    "pieces": "List what a map needs to be printed.",
    "kit": "Find the smallest set that builds each of several maps.",
    "stock": "Keep count of the parts you own.",
    "printer": "List printers, and remember the one you have.",
    "slicer": "Write the settings for your slicer: PrusaSlicer, Bambu Studio, OrcaSlicer.",
    "cache": "Show or clear the pieces' meshes kept on disk.",
    "coupon": "Make a test print that finds your printer's fit.",
    "prove": "Prove that pieces print and fit, and that maps stand.",
    "studio": "Design a table in the browser: text, board in 3D, what it means.",
    "edit": "Change a map by a gesture, as the smallest edit of its text.",
    "fmt": "Write sources in the one style.",
    "expand": "Print a map flat: definitions placed, symmetry done.",
    "ast": "Print the tree of a source.",
    "lsp": "Serve editors that speak the language server protocol.",
    "explain": "Tell why a code is raised and how to mend it.",
    "gallery": "Draw every preset map and every piece for the documentation.",
    "presets": "List the maps, units, rulesets and printers that come with the forge.",
}

FILES = {"play": "playing"}
"""Files that are not named like their command."""


class LazyGroup(click.Group):
    """A group whose commands are imported on use, so that start-up stays instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of a table: the main road first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command object `command` of the file named like the command."""
        if cmd_name not in COMMANDS:
            return None
        file = FILES.get(cmd_name, cmd_name.replace("-", "_"))
        module = importlib.import_module(f"falldamage_forge.cli.{file}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with a question when a command is misspelt."""
        from falldamage_forge.issues import did_you_mean

        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = did_you_mean(args[0], COMMANDS) if args else None
            if hint and "No such command" in error.message:
                raise click.UsageError(f"no command `{args[0]}`; {hint}", ctx) from None
            raise


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="falldamage-forge", prog_name="fdforge")
def cli() -> None:
    """From a text layout to a printed, playable table for Fall Damage."""


def main() -> None:
    """Console entry: bad input exits 1, bad usage 2, Ctrl-C 130; never a traceback for either."""
    from falldamage_forge.cli.streams import visible_streams
    from falldamage_forge.pool import close_pool, open_pool

    open_pool()
    try:
        with visible_streams():
            sys.exit(_status())
    finally:
        close_pool()


def _status() -> int:
    """Run the command; the exit status, with what went wrong told."""
    from falldamage_forge.cli.common import print_failure
    from falldamage_forge.issues import ForgeError

    try:
        cli(standalone_mode=False)
    except ForgeError as error:
        print_failure(error)
        return 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped; nothing was left half done", err=True)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        told = f"error: {error.strerror or error}: {error.filename or ''}".rstrip(": ")
        click.echo(told, err=True)
        return 1
    except click.exceptions.Exit as error:
        return error.exit_code
    return 0

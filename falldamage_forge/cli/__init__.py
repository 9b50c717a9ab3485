"""Command line: one module per command, imported when the command is called."""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import os
import sys
import threading
from collections.abc import Iterable, Mapping
from typing import Any

import click

GROUPS = {
    "Draw maps": {
        "new": "Write a new, playable map from a template.",
        "studio": "Design and play a map in the browser.",
        "edit": "Change a map by one edit command, such as `raise D4`.",
        "show": "Draw a map as a picture, or in the terminal.",
        "fmt": "Format map sources in the one style.",
        "expand": "Expand a map's definitions, imports and symmetry.",
        "gallery": "Draw all preset maps and pieces for the documentation.",
    },
    "Check maps": {
        "check": "Check that maps are legal and playable.",
        "explain": "Explain an issue code and its remedy.",
        "analyze": "Measure a map: fairness, choke points, falls, sight.",
        "compare": "Compare a map under several rulesets.",
        "reach": "List the surfaces that a unit reaches, turn by turn.",
        "path": "Find the quickest path between two surfaces.",
        "push": "Compute where a pushed unit ends, and its damage.",
        "los": "Compute lines of sight and what blocks them.",
        "targets": "List what a unit can attack from where it stands.",
        "ask": "Ask a question of a ruleset: falls, ranges, chances.",
    },
    "Play": {
        "play": "Play a game against a bot, a friend or yourself.",
        "replay": "Show a recorded game in steps, or write it as a page.",
        "bot": "Play for another program, by JSON lines.",
        "playtest": "Let bots play a map, and report how it plays.",
        "conform": "Run worked rule situations, or test a bot or engine.",
        "guide": "Write how to play: rules with examples, a first game.",
        "cards": "Write unit cards and hidden-item slips to print.",
    },
    "Print": {
        "adopt": "Put a model of others on the joint, and write its block.",
        "build": "Write plates, projects, piece lists and instructions.",
        "pieces": "List the pieces of a map, with grams, hours and cost.",
        "sheets": "Write instructions for building a map.",
        "report": "Write one page about a map to share.",
        "publish": "Write everything that a shop's page about a map needs.",
        "export": "Write the table for viewers, phones and virtual tables.",
        "coupon": "Write a test print that finds a printer's clearances.",
        "prove": "Verify that pieces print and fit, and that maps stand.",
    },
    "Find maps and sets": {
        "generate": "Generate a playable map from a seed.",
        "search": "Search for maps of all kinds, and pick a varied set.",
        "kit": "Find the smallest set of parts for several maps.",
        "pack": "Pack a set into a box, with sheets and bag labels.",
        "event": "Plan an event: set, print calendar, tables, rounds.",
    },
    "Set up": {
        "presets": "List the preset maps, units, rulesets and printers.",
        "printer": "List printers, and select yours.",
        "slicer": "Write settings for PrusaSlicer, Bambu Studio, OrcaSlicer.",
        "stock": "Record the parts that you own.",
        "cache": "Show or clear the cache of meshes.",
        "ast": "Print the syntax tree of a map.",
        "lsp": "Serve editors by the language server protocol.",
    },
}
"""Commands by topic: name and one line of help each."""

COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}
ALIASES = {"verify": "prove", "query": "ask", "conformance": "conform", "how-to-play": "guide"}
"""Further names of commands, not listed in the help."""


GAP = "  "
"""Between a help and its default, which are translated apart."""


class SpokenHelp(click.HelpFormatter):
    """Help in the language of this call; the translator is imported when help is shown.

    Attributes:
        say: Translates a text.
        texts: Texts that the options of the command have with them, by their English.
    """

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        from falldamage_forge.cli.spoken_language import wished_say

        self.say = wished_say()
        self.texts: Mapping[str, str] = {}

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line.

        Args:
            prog: Name of the program and command.
            args: Arguments of the command, as the usage shows them.
            prefix: Word before the usage; default: `Usage: ` in the language of the call.
        """
        super().write_usage(prog, args, prefix or f"{self.say('Usage')}: ")

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        super().write_heading(self.say(heading))

    def write_text(self, text: str) -> None:
        """Write paragraphs; those that click does not wrap stay."""
        parts = (
            part if part.startswith("\b") else self.say(" ".join(part.split()))
            for part in text.split("\n\n")
        )
        super().write_text("\n\n".join(parts))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write terms with their texts; a default stands two blanks behind its text.

        Args:
            rows: Pairs of a term and its text.
            col_max: Greatest width of the terms in characters.
            col_spacing: Blanks between a term and its text.
        """
        spoken = [(term, GAP.join(map(self._spoken, text.split(GAP)))) for term, text in rows]
        super().write_dl(spoken, col_max, col_spacing)

    def _spoken(self, text: str) -> str:
        return self.texts.get(text) or self.say(text)


class SpokenContext(click.Context):
    """Context of commands, with their help in the language of this call."""

    formatter_class = SpokenHelp

    def make_formatter(self) -> click.HelpFormatter:
        """Return a formatter that knows the texts of the command's options."""
        from falldamage_forge.cli.spoken_language import wished_language

        formatter = super().make_formatter()
        if isinstance(formatter, SpokenHelp):
            own = vars(self.command).get("texts", {})  # of `option.command`; no other has any
            formatter.texts = own.get(wished_language(), {})
        return formatter


class LazyGroup(click.Group):
    """A click group that imports a command at first use, so that start-up is fast."""

    context_class = SpokenContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of the groups."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module named like the command, or like the name behind its alias.

        Args:
            ctx: Context of the call, as click passes it.
            cmd_name: Name of the command, or an alias.

        Returns:
            The command; None if there is none of that name.
        """
        name = ALIASES.get(cmd_name, cmd_name)
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"falldamage_forge.cli.commands.{name}")
        if not gc.isenabled():  # as `start` leaves it: no collection looks through the modules
            gc.freeze()
            gc.enable()
        command: click.Command = module.command
        for one in (command, *getattr(command, "commands", {}).values()):
            one.context_class = SpokenContext
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups of commands without importing any of them.

        Args:
            ctx: Context of the call, as click passes it.
            formatter: Help to write to.
        """
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, commands[name]) for name in commands])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command as click does; the error for an unknown one names the nearest.

        Args:
            ctx: Context of the call, as click passes it.
            args: Words of the call, the name of the command first.

        Raises:
            click.UsageError: If there is no such command.
        """
        from falldamage_forge.issues import did_you_mean

        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = did_you_mean(args[0], COMMANDS) if args else None
            if hint and "No such command" in error.message:
                raise click.UsageError(f"no command `{args[0]}`; {hint}", ctx) from None
            raise


def _wish(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    from falldamage_forge.cli.spoken_language import wish

    wish(name)


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(package_name="falldamage-forge", prog_name="fdforge")
@click.option(
    "--lang",
    metavar="NAME",
    is_eager=True,
    expose_value=False,
    callback=_wish,
    help="Language of help, issues and results, such as `de`; before the command.  "
    "[default: that of your settings or environment]",
)
def cli() -> None:
    """Turn text layouts into printed, playable terrain for Fall Damage."""


ONE_THREAD = "OPENBLAS_NUM_THREADS", "1"
"""Environment variable of numpy's products, unless it is set. Ours have three columns: threads that
wait for each other would take twice the time. Work is shared out by processes."""


def start() -> None:
    """Run the command as the whole of this process: as `main`, and end the process at once.

    Nothing is collected while modules are imported. At the end all that others registered for it
    runs and the streams are flushed; taking down each module and object would take a fifth of a
    short command's time.
    """
    from falldamage_forge.infra.interrupts import own_process

    gc.disable()
    os.environ.setdefault(*ONE_THREAD)
    own_process(_give_up)
    try:
        main()
    except SystemExit as end:
        if (status := _ready_to_end(end.code)) is not None:
            os._exit(status)
        raise


STOPPED, STOPPED_STATUS = "stopped; no file was left incomplete", 130
"""Words after Ctrl-C, and the exit status."""


def _give_up() -> None:
    """End the process from a thread, as after Ctrl-C, while native code holds the main thread."""
    from falldamage_forge.cli.spoken_language import echo
    from falldamage_forge.infra.process_pool import kill_pool
    from falldamage_forge.infra.user_paths import remove_unfinished

    kill_pool()
    remove_unfinished()
    try:
        echo(f"\n{STOPPED}", err=True)
    finally:
        os._exit(STOPPED_STATUS)


def _ready_to_end(code: object) -> int | None:
    """Run what is registered for the end, and flush; None if the interpreter has to end itself.

    It does so where a thread is still at work, or a stream cannot be flushed: it has words for it.
    """
    others = (one for one in threading.enumerate() if one is not threading.current_thread())
    if not isinstance(code, int | None) or any(not one.daemon for one in others):
        return None
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except OSError:
        return None
    atexit._run_exitfuncs()
    return code or 0


def main() -> None:
    """Run the command and exit: 1 for bad input, 2 for bad usage, 130 for Ctrl-C, no traceback."""
    from falldamage_forge.cli.streams import visible_streams
    from falldamage_forge.infra.process_pool import close_pool, open_pool

    gc.set_threshold(100_000, 20, 20)  # by default a twelfth of a build is spent in collections
    open_pool()
    try:
        with visible_streams():
            sys.exit(_status())
    finally:
        close_pool()


def _status() -> int:
    """Run the command, report its error, and return the exit status."""
    from falldamage_forge.cli.map_argument import print_failure
    from falldamage_forge.cli.progress_bar import show_progress
    from falldamage_forge.cli.spoken_language import echo
    from falldamage_forge.issues import ForgeError

    try:
        cli(standalone_mode=False)
    except ForgeError as error:
        print_failure(error)
        return 1
    except click.ClickException as error:
        words = io.StringIO()
        error.show(words)
        echo(words.getvalue().rstrip("\n"), err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        show_progress("")
        echo(STOPPED, err=True)
        return STOPPED_STATUS
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        text = f"error: {error.strerror or error}: {error.filename or ''}".rstrip(": ")
        echo(text, err=True)
        return 1
    except click.exceptions.Exit as error:
        return error.exit_code
    return 0

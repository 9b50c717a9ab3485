"""`fdforge search`: an archive of maps that differ, each the best of its kind."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.files import Sources
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.paths import quoted

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.game import FallDamage
    from falldamage_forge.search.archive import Archive, Elite
    from falldamage_forge.search.crew import Crew
    from falldamage_forge.search.evolve import Plan
    from falldamage_forge.search.judge import Setup

DEFAULT_EVALUATIONS = 2_000
BATCH = 64
GAMES = 8
SAVE_EVERY_S = 10.0

_archive_option = click.option(
    "--archive",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("search"),
    show_default=True,
    help="Folder of the archive.",
)


@click.group(invoke_without_command=True)
@_archive_option
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True)
@click.option("--style", "styles", multiple=True, metavar="NAME", help="Only these; all if none.")
@click.option("--from", "origin", metavar="MAP", help="Vary this map in place of drawing new ones.")
@click.option("--own", type=click.Path(path_type=Path), help="CSV of parts: build maps from these.")
@click.option(
    "--wish", "wishes", multiple=True, metavar="TEXT", help='Such as "expect good sight".'
)
@click.option("--chests", type=click.IntRange(0, 8), default=2, show_default=True)
@click.option("--quality", type=click.Choice(["measures", "play"]), default="measures",
              show_default=True, help="Judge by measures, or by games of bots too.")  # fmt: skip
@click.option("--games", type=click.IntRange(4, 10_000), default=GAMES, show_default=True,
              help="Games on a map, with --quality play.")  # fmt: skip
@click.option("--evaluations", type=click.IntRange(0), help="Look at so many maps more.")
@click.option("--minutes", type=click.FloatRange(min=0), help="Or search for so long.")
@click.option("--workers", type=click.IntRange(1, 512), default=1, show_default=True,
              help="Processes that judge maps.")  # fmt: skip
@click.option("--dask", "address", metavar="ADDRESS", help="Scheduler whose workers judge maps.")
@click.option("--batch", type=click.IntRange(1, 1_000_000), default=BATCH, show_default=True,
              help="Maps between two looks at the archive.")  # fmt: skip
@click.option("--chunk", type=click.IntRange(1, 10_000), help="Maps judged in one task.")
@click.option(
    "--k", "count", type=click.IntRange(1, 100), help="Pick so many good, different maps."
)
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False),
              help="Folder for the picks.")  # fmt: skip
@click.option(
    "--then", "after", type=click.Choice(["kit"]), help="Find the least set for the picks."
)
@click.pass_context
def command(
    context: click.Context, folder: Path, seed: int, styles: tuple[str, ...], origin: str | None,
    own: Path | None, wishes: tuple[str, ...], chests: int, quality: str, games: int,
    evaluations: int | None, minutes: float | None, workers: int, address: str | None, batch: int,
    chunk: int | None, count: int | None, output: Path | None, after: str | None,
) -> None:  # fmt: skip
    """Search for maps: of every kind the best, kept as texts in a folder.

    A search goes on where it stopped. The same seed and options give the same archive, with any
    number of workers. With --k, good maps that differ most are picked from it.
    """
    if context.invoked_subcommand is not None:
        return
    from falldamage_forge.search.evolve import Plan
    from falldamage_forge.search.folder import held, load

    picking = count is not None or after is not None
    if evaluations is None and minutes is None:
        there = picking and load(folder, missing_ok=True).elites
        evaluations = 0 if there else DEFAULT_EVALUATIONS
    if evaluations or minutes:
        if origin and (styles or wishes):
            raise click.UsageError("--from varies one map: it takes no --style and no --wish")
        setup = _setup(styles, origin, own, wishes, chests, games if quality == "play" else 0)
        plan = Plan(seed, batch, chunk, evaluations, minutes)
        with held(folder), _crew(setup, workers, address) as crew:
            _run(folder, setup, crew, plan)
    if picking:
        target = output or folder.with_name(f"{folder.name}-picks")
        paths = _pick(load(folder), count or 10, target)
        if after == "kit":
            from falldamage_forge.cli.kit import command as kit

            context.invoke(kit, names=tuple(map(str, paths)))


# -- running -------------------------------------------------------------------------------------


def _setup(
    styles: tuple[str, ...], origin: str | None, own: Path | None, wishes: tuple[str, ...],
    chests: int, games: int,
) -> Setup:  # fmt: skip
    """What maps are judged by; its key tells runs apart."""
    from falldamage_forge.cli.build_options import read_own
    from falldamage_forge.cli.generate import expectation
    from falldamage_forge.search import door
    from falldamage_forge.search.generate import stock_budget
    from falldamage_forge.search.grow import Wish
    from falldamage_forge.search.judge import Setup

    wish = Wish(chests=chests, expects=tuple(expectation(text) for text in wishes))
    owned = None if own is None else read_own(own)
    if origin is not None:
        text, game = _own_map(origin)
        return Setup((), wish, owned, game, _digest(text, owned, games), text, games)
    if owned is not None:
        stock_budget(owned, wish)
    names = tuple(dict.fromkeys(styles)) or door.styles()
    key = _digest(names, wish.expects, chests, owned, games)
    return Setup(tuple(map(door.style, names)), wish, owned, door.game(), key, games=games)


def _digest(*said: object) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _own_map(name: str) -> tuple[str, FallDamage]:
    """The text of somebody's map and its game; ForgeError where variants cannot be judged."""
    from falldamage_forge.called import map_path
    from falldamage_forge.games.fall_damage.game import FallDamage
    from falldamage_forge.search import door
    from falldamage_forge.search.bulk import fits

    file, text = Sources().read_main(map_path(name))
    checked = door.check(text, file)
    if not checked.buildable:
        raise ForgeError([issue for issue in checked.issues if issue.severity == "error"])
    game = checked.position.game
    if not isinstance(game, FallDamage) or not fits(checked.layout.board):
        hint = "search knows Fall Damage with two sides of up to eight starts each"
        raise refuse("FDF504", f"variants of `{file}` cannot be judged", hint)
    return text, game


def _about(setup: Setup, plan: Plan) -> dict[str, Any]:
    """What tells runs apart, as words."""
    about: dict[str, Any] = {
        "styles": [style.grammar.name for style in setup.styles],
        "wishes": list(setup.wish.expects),
        "chests": setup.wish.chests,
        "owned": None if setup.owned is None else dict(setup.owned),
        "seed": plan.seed,
        "batch": plan.batch,
    }
    if setup.origin:
        about["from"] = hashlib.sha256(setup.origin.encode()).hexdigest()
    return about | ({"games": setup.games} if setup.games else {})


def _same_run(archive: Archive, about: dict[str, Any], folder: Path) -> None:
    """A folder goes on with what it began with; FDF504 otherwise."""
    if not archive.about or not (archive.evaluations or archive.elites):
        archive.about = about
    elif archive.about != about:
        keys = sorted({*about, *archive.about})
        other = [key for key in keys if archive.about.get(key) != about.get(key)]
        hint = "say the same options again, or choose another --archive"
        raise refuse("FDF504", f"`{folder}` was searched with other {', '.join(other)}", hint)


@contextmanager
def _crew(setup: Setup, workers: int, address: str | None) -> Iterator[Crew]:
    from falldamage_forge.search import crew as crews

    crew: Crew
    if address is not None:
        crew = crews.Cluster(setup, address)
    elif workers > 1:
        crew = crews.Processes(setup, workers)
    else:
        crew = crews.Alone(setup)
    try:
        yield crew
    finally:
        crew.close()


def _run(folder: Path, setup: Setup, crew: Crew, plan: Plan) -> None:
    """Batches until there are enough; the folder is renewed now and then, and at the end."""
    from falldamage_forge.search.evolve import search, whole_batches
    from falldamage_forge.search.folder import forget, load, save

    archive = load(folder, missing_ok=True)
    _same_run(archive, _about(setup, plan), folder)
    # Written at once, so that whatever happens next the folder is known for an archive.
    save(folder, archive)
    begun = saved = time.monotonic()
    first, most = archive.evaluations, whole_batches(plan)
    try:
        for after in search(archive, setup, crew, plan):
            archive = after
            rate = (archive.evaluations - first) / max(time.monotonic() - begun, 1e-9)
            told = f"{_standing(archive, setup)}, {rate:.0f} maps/s"
            show_progress(told, archive.evaluations - first, most)
            if time.monotonic() - saved >= SAVE_EVERY_S:
                save(folder, archive)
                saved = time.monotonic()
    except ForgeError:
        if not archive.evaluations and not archive.elites:
            forget(folder)
        raise
    finally:
        show_progress("")
        if archive.evaluations or archive.elites:
            save(folder, archive)
    click.echo(_standing(archive, setup))
    for why, times in sorted(archive.refused.items(), key=lambda item: (-item[1], item[0]))[:5]:
        click.echo(f"  refused {times}: {why}")
    words = f"search show --archive {quoted(folder)}"
    click.echo(f"{folder}: {len(archive.elites)} maps; try `fdforge {words}`")


def _standing(archive: Archive, setup: Setup) -> str:
    coverage = archive.coverage(max(len(setup.styles), 1))
    if not archive.elites:
        return f"{archive.evaluations} maps looked at, none kept"
    return (
        f"{archive.evaluations} maps looked at, {len(archive.elites)} kept "
        f"({coverage:.1%} of the cells), best {archive.best:.2f}, mean {archive.mean:.2f}"
    )


# -- picking --------------------------------------------------------------------------------------


def _pick(archive: Archive, count: int, folder: Path) -> list[Path]:
    """Write the maps that differ most of the good ones, and tell of them."""
    from falldamage_forge.search import door
    from falldamage_forge.search.pick import apart, pick
    from falldamage_forge.staging import write_file

    elites = archive.ranked()
    boards = [door.board_of(elite.text) for elite in elites]
    numbers = pick(elites, boards, count)
    paths = []
    for place, number in enumerate(numbers, start=1):
        path = folder / f"{place:02d}-{elites[number].style}.forge"
        write_file(path, elites[number].text.encode())
        paths.append(path)
        click.echo(f"{path}: {_told(elites[number])}")
    if len(numbers) > 1:
        good = sorted(range(len(elites)), key=lambda n: -elites[n].quality)[: len(numbers)]
        here, there = (apart([boards[n] for n in each]) for each in (numbers, good))
        click.echo(f"the two most alike are {here:.2f} apart; of the best ones {there:.2f}")
    return paths


def _told(elite: Elite) -> str:
    traits = elite.traits
    return (
        f"{_title(elite)}, quality {elite.quality:.2f}, "
        f"mean level {traits['verticality']:.2f}, {traits['openness']:.0%} see each other, "
        f"{traits['ways']:.0f} ways"
    )


def _title(elite: Elite) -> str:
    """The title of a map's text, or its name."""
    line = next((line for line in elite.text.splitlines() if line.startswith("title ")), "")
    return line.split('"')[1] if line.count('"') > 1 else elite.name


# -- looking and merging -------------------------------------------------------------------------


@command.command()
@_archive_option
@click.option("--sheet", type=click.Path(path_type=Path), help="Pictures of the best, as PNG.")
@click.option("--heat", type=click.Path(path_type=Path), help="Quality by two axes, as SVG or PNG.")
@click.option("--gallery", type=click.Path(path_type=Path), help="A page with sliders.")
@click.option("--most", type=click.IntRange(1, 1000), default=48, show_default=True,
              help="Pictures on the sheet.")  # fmt: skip
def show(
    folder: Path, sheet: Path | None, heat: Path | None, gallery: Path | None, most: int
) -> None:
    """Show an archive: a table, a sheet of pictures, a heat map, a page to browse."""
    from falldamage_forge.render import atlas
    from falldamage_forge.search import door
    from falldamage_forge.search.folder import load
    from falldamage_forge.staging import write_file

    archive = load(folder)
    elites = archive.ranked()
    if not (sheet or heat or gallery):
        for elite in sorted(elites, key=lambda elite: -elite.quality)[:most]:
            click.echo(f"{elite.name}: {_told(elite)}")
        click.echo(f"{len(elites)} maps of {archive.evaluations} looked at")
        return
    shown = [
        atlas.Exhibit(
            elite.name, _title(elite), elite.style, elite.quality,
            elite.traits, elite.text, door.board_of(elite.text),
        )
        for elite in sorted(elites, key=lambda elite: (-elite.quality, elite.name))
    ]  # fmt: skip
    if sheet:
        write_file(sheet, atlas.sheet(shown[:most], show_progress))
        click.echo(f"{sheet}")
    if heat:
        from falldamage_forge.search.archive import AXES

        write_file(heat, atlas.heat(shown, AXES, heat.suffix.lower()))
        click.echo(f"{heat}")
    if gallery:
        data = atlas.gallery(shown, archive.history, show_progress).encode()
        write_file(gallery, data)
        click.echo(f"{gallery}")
    show_progress("")


@command.command()
@click.argument(
    "others", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FOLDER..."
)
@_archive_option
def merge(others: tuple[Path, ...], folder: Path) -> None:
    """Take the better maps of other archives over into one."""
    from falldamage_forge.search.folder import held, load, save

    with held(folder):
        archive = load(folder, missing_ok=True)
        for other in others:
            found = load(other)
            if not archive.about:
                archive.about = {**found.about, "merged": True}
            taken = archive.merge(found)
            click.echo(f"{other}: {taken} of {len(found.elites)} maps taken over")
        save(folder, archive)
    click.echo(f"{folder}: {len(archive.elites)} maps")

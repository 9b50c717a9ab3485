"""`fdforge search`: fill an archive of different maps, the best of each kind (MAP-Elites)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, echo_named
from falldamage_forge.infra.source_loader import SourceLoader
from falldamage_forge.infra.user_paths import quoted
from falldamage_forge.issues import ForgeError, refuse

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.ruleset import FallDamage
    from falldamage_forge.library.forge import Map
    from falldamage_forge.search.archive import Archive, Elite
    from falldamage_forge.search.evaluate import EvaluationSetup
    from falldamage_forge.search.map_elites import Executor, SearchConfig

DEFAULT_EVALUATIONS = 2_000
BATCH = 64
GAMES = 8
SAVE_EVERY_S = 10.0

ARCHIVE = option.text(
    "Folder of the archive.",
    "--archive",
    type=option.FOLDER,
    default=Path("search"),
    de="Ordner des Archivs.",
)


@partial(option.group_command, invoke_without_command=True)
def command(
    folder: Path = ARCHIVE,
    seed: int = option.whole(0, 2**31, "Random seed.", default=0),
    styles: tuple[str, ...] = option.many(
        "Map style to search; repeatable (default: all).",
        "--style",
        metavar="NAME",
        de="Kartenstil der Suche; wiederholbar (Standard: alle).",
    ),
    origin: str | None = option.text(
        "Map to vary instead of generating maps.",
        "--from",
        metavar="MAP",
        de="Karte, die verändert wird, statt Karten zu erzeugen.",
    ),
    own: Path | None = option.OWN_ONLY,
    wishes: tuple[str, ...] = option.WISHES,
    chests: int = option.CHESTS,
    quality: str = option.choice(
        ["measures", "play"],
        "Fitness: metrics, or also games of bots.",
        default="measures",
        de="Güte: Maße, oder auch Spiele von Bots.",
    ),
    games: int = option.whole(
        4,
        10000,
        "Games per map, with --quality play.",
        default=GAMES,
        de="Spiele je Karte, mit --quality play.",
    ),
    evaluations: int | None = option.whole(
        0,
        None,
        "Number of further maps to evaluate.",
        de="Zahl weiterer Karten, die bewertet werden.",
    ),
    minutes: float | None = option.number(
        0, None, "Time limit in minutes.", de="Zeitgrenze in Minuten."
    ),
    workers: int = option.whole(
        1,
        512,
        "Number of processes that evaluate maps.",
        default=1,
        de="Zahl der Prozesse, die Karten bewerten.",
    ),
    address: str | None = option.text(
        "Address of a Dask scheduler whose workers evaluate maps.",
        "--dask",
        metavar="ADDRESS",
        de="Adresse eines Dask-Schedulers, dessen Prozesse Karten bewerten.",
    ),
    batch: int = option.whole(
        1,
        1000000,
        "Maps evaluated per generation.",
        default=BATCH,
        de="Bewertete Karten je Generation.",
    ),
    chunk: int | None = option.whole(
        1,
        10000,
        "Maps per task (default: chosen by the number of workers).",
        de="Karten je Aufgabe (Standard: nach der Zahl der Prozesse).",
    ),
    count: int | None = option.whole(
        1,
        100,
        "Number of good, different maps to pick from the archive.",
        "--k",
        "--picks",
        de="Zahl der guten, verschiedenen Karten, die aus dem Archiv gewählt werden.",
    ),
    output: Path | None = option.output(
        "Folder of the picked maps.", writes="inside", de="Ordner der gewählten Karten."
    ),
    kit_for_picks: bool = option.flag(
        "Compute the smallest kit for the picks.",
        de="Berechnet den kleinsten Bausatz der gewählten Karten.",
    ),
    after: str | None = option.choice(
        ["kit"], "The same as --kit-for-picks.", "--then", de="Das Gleiche wie --kit-for-picks."
    ),
) -> None:
    """Search for maps and store the best of each kind as texts in a folder, the archive.

    A search continues an archive. The same seed and options give the same archive with any number
    of workers. With --picks, the good maps that differ most are copied from it.
    """
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        return
    from falldamage_forge.search.archive_folder import load, lock_archive
    from falldamage_forge.search.map_elites import SearchConfig

    kit_for_picks = kit_for_picks or after == "kit"
    picking = count is not None or kit_for_picks
    if evaluations is None and minutes is None:
        there = picking and load(folder, missing_ok=True).elites
        evaluations = 0 if there else DEFAULT_EVALUATIONS
    picks = folder.with_name(f"{folder.name}-picks") if folder.name else folder / "picks"
    target = option.output_path(output, picks, "inside") if picking else picks
    if evaluations or minutes:
        option.output_path(folder, folder, "inside")
        if origin and (styles or wishes):
            raise click.UsageError("--from varies one map: it takes no --style and no --wish")
        setup = _setup(styles, origin, own, wishes, chests, games if quality == "play" else 0)
        plan = SearchConfig(seed, batch, chunk, evaluations, minutes)
        if setup.games:
            _load_players(setup, evaluations)
        with lock_archive(folder), _crew(setup, workers, address) as executor:
            _run(folder, setup, executor, plan)
        if origin:
            _copy_models(FORGE.load(origin), folder)
    if picking:
        archive = load(folder)
        paths = _pick(archive, count or 10, target)
        for elite in archive.ranked()[:1]:  # variants of one map have the same models
            name = f"{folder / elite.name}.forge"
            _copy_models(FORGE.loads(elite.text, name, folder), target)
        if kit_for_picks:
            from falldamage_forge.cli.commands.kit import command as kit

            context.invoke(kit, names=tuple(map(str, paths)))


# -- running -------------------------------------------------------------------------------------


def _setup(
    styles: tuple[str, ...], origin: str | None, own: Path | None, wishes: tuple[str, ...],
    chests: int, games: int,
) -> EvaluationSetup:  # fmt: skip
    """Return the settings that decide an evaluation; its key identifies a run."""
    from falldamage_forge.cli.build_options import read_stock_file
    from falldamage_forge.cli.commands.generate import expectation_statement
    from falldamage_forge.search import adapter
    from falldamage_forge.search.constructive import MapRequirements
    from falldamage_forge.search.evaluate import EvaluationSetup
    from falldamage_forge.search.map_generator import stock_budget

    wish = MapRequirements(
        chests=chests, expects=tuple(expectation_statement(text) for text in wishes)
    )
    owned = None if own is None else read_stock_file(own)
    if origin is not None:
        text, game = _own_map(origin)
        return EvaluationSetup((), wish, owned, game, _digest(text, owned, games), text, games)
    if owned is not None:
        stock_budget(owned, wish)
    names = tuple(dict.fromkeys(styles)) or adapter.styles()
    key = _digest(names, wish.expects, chests, owned, games)
    return EvaluationSetup(
        tuple(map(adapter.style, names)), wish, owned, adapter.game(), key, games=games
    )


def _digest(*said: object) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _own_map(name: str) -> tuple[str, FallDamage]:
    """Return text and ruleset of a user's map; ForgeError if its variants cannot be evaluated."""
    from falldamage_forge.games.fall_damage.ruleset import FallDamage
    from falldamage_forge.maps.resolve import resolve_map_path
    from falldamage_forge.search import adapter

    file, text = SourceLoader().read_main(resolve_map_path(name))
    checked = adapter.check(text, file)
    if not checked.buildable:
        raise ForgeError([issue for issue in checked.issues if issue.severity == "error"])
    game = checked.position.game
    if not isinstance(game, FallDamage):
        hint = "search knows the rules of Fall Damage only"
        raise refuse("FDF504", f"variants of `{file}` cannot be judged", hint)
    return text, game


def _load_players(setup: EvaluationSetup, evaluations: int | None) -> None:
    """Compile the engine of the games if that saves time; evaluations use it where it is kept."""
    from falldamage_forge.cli.commands.playtest import FAST_FROM, load_engine

    load_engine("auto", _plays_usual(setup), setup.games * (evaluations or FAST_FROM))


def _plays_usual(setup: EvaluationSetup) -> bool:
    """True if the games have the default options, for which the engine is compiled apart."""
    from falldamage_forge.games.fall_damage.play import PlayOptions
    from falldamage_forge.playtest.bot_kernels.batch_runner import is_usual

    return is_usual(setup.game.options, PlayOptions())


def _about(setup: EvaluationSetup, plan: SearchConfig) -> dict[str, Any]:
    """Return the settings that identify a run, as words."""
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
    """Raise FDF504 if the archive was made with other settings."""
    if not archive.about or not (archive.evaluations or archive.elites):
        archive.about = about
    elif archive.about != about:
        keys = sorted({*about, *archive.about})
        other = [key for key in keys if archive.about.get(key) != about.get(key)]
        hint = "say the same options again, or choose another --archive"
        raise refuse("FDF504", f"`{folder}` was searched with other {', '.join(other)}", hint)


@contextmanager
def _crew(setup: EvaluationSetup, workers: int, address: str | None) -> Iterator[Executor]:
    from falldamage_forge.search.map_elites import DaskExecutor, Executor

    executor = Executor(setup, workers) if address is None else DaskExecutor(setup, address)
    try:
        yield executor
    finally:
        executor.close()


def _run(folder: Path, setup: EvaluationSetup, executor: Executor, plan: SearchConfig) -> None:
    """Evaluate batches until a limit is met; write the archive now and then, and at the end."""
    from falldamage_forge.search.archive_folder import forget, load, save
    from falldamage_forge.search.map_elites import run_search, whole_batches

    archive = load(folder, missing_ok=True)
    _same_run(archive, _about(setup, plan), folder)
    # Written at once, so that whatever happens next the folder is known for an archive.
    save(folder, archive)
    begun = saved = time.monotonic()
    first, most = archive.evaluations, whole_batches(plan)

    def tell(maps: int) -> None:
        done = archive.evaluations - first + maps
        rate = done / max(time.monotonic() - begun, 1e-9)
        show_progress(f"{archive.standing(len(setup.styles))}, {rate:.1f} maps/s", done, most)

    try:
        tell(0)
        for after in run_search(archive, setup, executor, plan, tell):
            archive = after
            tell(0)
            if time.monotonic() - saved >= SAVE_EVERY_S:
                save(folder, archive)
                saved = time.monotonic()
    except (ForgeError, KeyboardInterrupt):
        if not archive.evaluations and not archive.elites:
            forget(folder)
        raise
    finally:
        show_progress("")
        if archive.evaluations or archive.elites:
            save(folder, archive)
    echo(archive.standing(len(setup.styles)))
    for why, times in sorted(archive.refused.items(), key=lambda item: (-item[1], item[0]))[:5]:
        echo(f"  refused {times}: {why}")
    if setup.games and archive.elites:
        _tell_fairness(archive, setup, folder)
    words = f"search show --archive {quoted(folder)}"
    echo_named(folder, f"{len(archive.elites)} maps; try `fdforge {words}`")


def _tell_fairness(archive: Archive, setup: EvaluationSetup, folder: Path) -> None:
    """Print the statement on the best map's fairness; only the compiled engine plays it."""
    from falldamage_forge.playtest.bot_kernels.batch_runner import is_compiled
    from falldamage_forge.playtest.fairness_check import fairness_sentence
    from falldamage_forge.playtest.score_verdict import LEAST_GAMES
    from falldamage_forge.search import adapter

    best = max(archive.ranked(), key=lambda elite: elite.quality)
    file = f"{folder / best.name}.forge"
    fast = is_compiled(_plays_usual(setup))
    position = adapter.check(best.text, file).position
    echo_named(file, fairness_sentence(position, file, LEAST_GAMES if fast else 0))


# -- picking --------------------------------------------------------------------------------------


def _pick(archive: Archive, count: int, folder: Path) -> list[Path]:
    """Write the good maps that differ most, and print them."""
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.search import adapter
    from falldamage_forge.search.diverse_subset import pick_diverse, smallest_distance

    elites = archive.ranked()
    boards = [adapter.board_of(elite.text) for elite in elites]
    numbers = pick_diverse(elites, boards, count)
    paths = []
    for place, number in enumerate(numbers, start=1):
        path = folder / f"{place:02d}-{elites[number].style}.forge"
        write_file(path, elites[number].text.encode())
        paths.append(path)
        echo_named(path, _told(elites[number]))
    if len(numbers) > 1:
        good = sorted(range(len(elites)), key=lambda n: -elites[n].quality)[: len(numbers)]
        here, there = (smallest_distance([boards[n] for n in each]) for each in (numbers, good))
        echo(f"the two most alike are {here:.2f} apart; of the best ones {there:.2f}")
    return paths


def _copy_models(map_: Map, folder: Path) -> None:
    """Copy the files of a map's models into a folder of its variants."""
    from falldamage_forge.builds.model_pieces import copy_files, has_file

    copy_files(filter(has_file, map_.layout.models), folder)


def _told(elite: Elite) -> str:
    traits = elite.traits
    return (
        f"{elite.title}, quality {elite.quality:.2f}, "
        f"mean level {traits['verticality']:.2f}, {traits['openness']:.0%} see each other, "
        f"{traits['ways']:.0f} ways"
    )


# -- looking and merging -------------------------------------------------------------------------


@option.under(command)
def show(
    folder: Path = ARCHIVE,
    sheet: Path | None = option.written(
        "Contact sheet of the best maps, as PNG.", de="Kontaktbogen der besten Karten, als PNG."
    ),
    heat: Path | None = option.written(
        "Heat map of the fitness by two axes, as SVG or PNG.",
        de="Wärmekarte der Güte über zwei Achsen, als SVG oder PNG.",
    ),
    gallery: Path | None = option.written(
        "Page to browse the archive.", de="Seite zum Durchsehen des Archivs."
    ),
    most: int = option.whole(
        1,
        1000,
        "Greatest number of pictures on the sheet.",
        default=48,
        de="Größte Zahl von Bildern auf dem Bogen.",
    ),
) -> None:
    """Show an archive as a table, a contact sheet, a heat map or a page."""
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.render import archive_page
    from falldamage_forge.search import adapter
    from falldamage_forge.search.archive_folder import load

    archive = load(folder)
    elites = archive.ranked()
    if not (sheet or heat or gallery):
        for elite in sorted(elites, key=lambda elite: -elite.quality)[:most]:
            echo_named(elite.name, _told(elite))
        echo(f"{len(elites)} maps of {archive.evaluations} looked at")
        return
    shown = [
        archive_page.ArchiveMap(
            elite.name, elite.title, elite.style, elite.quality,
            elite.traits, elite.text, adapter.board_of(elite.text),
        )
        for elite in sorted(elites, key=lambda elite: (-elite.quality, elite.name))
    ]  # fmt: skip
    if sheet:
        write_file(sheet, archive_page.sheet(shown[:most], show_progress))
        echo(f"{sheet}")
    if heat:
        from falldamage_forge.search.archive import AXES

        write_file(heat, archive_page.heat_map(shown, AXES, heat.suffix.lower()))
        echo(f"{heat}")
    if gallery:
        data = archive_page.gallery(shown, archive.history, show_progress).encode()
        write_file(gallery, data)
        echo(f"{gallery}")
    show_progress("")


@option.under(command)
def merge(
    others: tuple[Path, ...] = option.argument(
        "FOLDER...", nargs=-1, required=True, type=option.FILE
    ),
    folder: Path = ARCHIVE.written("inside"),
) -> None:
    """Merge archives: copy the better maps of OTHERS into this one."""
    from falldamage_forge.search.archive_folder import load, lock_archive, save

    with lock_archive(folder):
        archive = load(folder, missing_ok=True)
        for other in others:
            found = load(other)
            if not archive.about:
                archive.about = {**found.about, "merged": True}
            taken = archive.merge(found)
            echo_named(other, f"{taken} of {len(found.elites)} maps taken over")
        save(folder, archive)
    echo_named(folder, f"{len(archive.elites)} maps")

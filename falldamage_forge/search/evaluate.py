"""Evaluation of candidates: build or edit, repair, measure, play, check.

Pure functions of their arguments, so they run on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import reduce
from operator import or_
from random import Random

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.map_metrics import falls_of, worst_of
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.metrics.reachability import contact
from falldamage_forge.metrics.terrain_metrics import cut_between_sides
from falldamage_forge.rules.bitset_bfs import mask_of
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.unit_values import Profile
from falldamage_forge.search import adapter, composition
from falldamage_forge.search.archive import BETTER, Cell, Elite, archive_cell
from falldamage_forge.search.board_survey import Surveyed, load_kernel, survey_of
from falldamage_forge.search.codegen import map_source
from falldamage_forge.search.composition import CompositionFeatures
from falldamage_forge.search.constructive import MapRequirements, construct_genome
from falldamage_forge.search.genome import MapBuilder, MapGenome, StockBudget
from falldamage_forge.search.map_generator import passes_check, repair_and_furnish, stock_budget
from falldamage_forge.search.mutable_board import canvas_of
from falldamage_forge.search.mutation import mutate_genome, mutate_text
from falldamage_forge.search.style_grammar import CompositionTarget, MapStyle
from falldamage_forge.search.variety import level_variety, passage_variety
from falldamage_forge.search.walkability import reachable_set, reverse

LADDER: Mapping[str, tuple[float, float]] = {"greedy": (4.0, 8.0), "careful": (7.0, 13.0)}
"""Bots that play a map, each against itself: band of the mean length of decided games in rounds."""
SEED = 1
"""All maps are played with the same teams and dice, so results differ by map only."""
PUSHED = (0.25, 0.60)
"""Band of the share of deaths by falls and lava."""
FIRST = (0.40, 0.60)
"""Band of the share of decided games that the first mover wins."""
COMEBACKS, ABOVE = 0.35, 0.4
"""Usual shares of games won by the side that lost the first unit, and of strikes from above."""
PRIOR = 8
"""Number of pseudo-games in the middle of the band that are added to each share."""
TURNS, HIGH = 3, 2
"""Turns within which reach counts, and the lowest level of high ground."""
NEVER = -1
"""First contact of sides that never meet."""
VARIED = 0.5
"""Weight of each share that no map brings to 1, so that a good map can still be improved."""


def liveliness(board: Board, rules: FallDamageOptions, games: int) -> float:
    """Return the score of a map by bot games; 0 is best and never reached, less is worse.

    Args:
        board: The board.
        rules: Options of the ruleset.
        games: Number of games, half of them by each bot of LADDER, at least a block of four.
    """
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.engine.codes import PART
    from falldamage_forge.games.fall_damage.play import split_options
    from falldamage_forge.playtest.bot_kernels.batch_runner import is_compiled, is_usual
    from falldamage_forge.playtest.game_series import GameSeries, play_chunk, sum_tallies
    from falldamage_forge.playtest.score_verdict import BLOCK

    _, readings = split_options({})
    kit, each = presets.load_kit(), max(games // len(LADDER), BLOCK)
    fast = is_compiled(is_usual(rules, readings))
    tallies = {
        bot: play_chunk(
            GameSeries(board, rules, readings, kit, (bot, bot), each, SEED, "search", fast=fast),
            0,
            each,
        )
        for bot in LADDER
    }
    none = (0, 0, 0)
    score = sum(
        composition.band(total / decided, *LADDER[bot], 3) if decided else -1.0
        for bot, tally in tallies.items()
        for decided, total, _ in [tally.values.get("rounds", none)]
    ) / len(LADDER)
    tally = sum_tallies(tallies.values())
    counts, values = tally.counts, tally.values
    played, decided = counts["games"], counts["decided"]
    pushed = (values.get("fall_kills", none)[1] + values.get("lava_kills", none)[1]) / PART
    fought, above, _ = values.get("from_above", none)
    score += composition.band(_share(pushed, played, sum(PUSHED) / 2), *PUSHED, 0.25)
    score += composition.band(_share(counts["first_wins"], decided, 0.5), *FIRST, 0.2)
    score += VARIED * (_share(counts["comebacks"], counts["bled"], COMEBACKS) - 1)
    score += VARIED * (_share(above / PART, fought, ABOVE) - 1)
    return score - _share(played - decided, played, 0.0)


def _share(hits: float, games: int, middle: float) -> float:
    """Return a share with `PRIOR` pseudo-games at `middle`."""
    return (hits + PRIOR * middle) / (games + PRIOR)


OWN = "own"
"""Style of variants of a user's map."""
USUAL_KINDS = 3
"""Number of different parts assumed for a user's map."""


@dataclass(frozen=True)
class EvaluationSetup:
    """Everything that an evaluation needs, as values that can be sent to a worker.

    Attributes:
        styles: Styles to search.
        wish: Requirements of the maps.
        owned: Stock by part key; None: unlimited.
        game: Ruleset.
        key: Identifies the setup; workers cache their preparation by it.
        origin: Text of a user's map whose variants are searched, instead of styles.
        games: Bot games on each map that would enter the archive.
    """

    styles: tuple[MapStyle, ...]
    wish: MapRequirements
    owned: Mapping[str, int] | None
    game: FallDamage
    key: str = ""
    origin: str = ""
    games: int = 0


@dataclass(frozen=True, slots=True)
class CandidateSpec:
    """A map to make from a seed: a mutation of a parent, or a new map of a style.

    The parent is a genome, or the text of a variant of a user's map.
    """

    seed: str
    style: str
    parent: MapGenome | str | None = None


@dataclass(frozen=True, slots=True)
class CandidateChunk:
    """Candidates that are evaluated together, and the best fitness known of each cell.

    Only a map that is better than its cell's best is checked.
    """

    number: int
    children: tuple[CandidateSpec, ...]
    known: Mapping[Cell, float]


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """Result of a chunk: elites in the order of the candidates, and rejections by reason."""

    number: int
    elites: tuple[Elite, ...]
    refused: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A map made for a candidate: built (`draft`), or its parent's text edited."""

    child: CandidateSpec
    looks: CompositionFeatures
    proportions: CompositionTarget
    board: Board
    draft: MapBuilder | None = None
    text: str = ""


@dataclass
class PreparedSetup:
    """Preparation of a setup, made once per process."""

    setup: EvaluationSetup
    styles: dict[str, MapStyle] = field(init=False)
    budget: StockBudget = field(init=False)
    units: tuple[Profile, ...] = field(init=False)
    spared: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        load_kernel()
        self.styles = {style.grammar.name: style for style in self.setup.styles}
        owned, wish = self.setup.owned, self.setup.wish
        self.budget = StockBudget() if owned is None else stock_budget(owned, wish)
        origin = self.setup.origin
        found = adapter.check(origin).every if origin else ()
        self.spared = Counter(issue.code for issue in found if issue.severity != "error")
        game = self.setup.game
        self.units = (*game.proof_units, *(group.profile for group in game.classes()))

    def survey(self, board: Board) -> Surveyed:
        """Return a board under the rules, with what its evaluation asks for."""
        game = self.setup.game
        return survey_of(board.rows, board.cols, game.options).position(board, game, self.units)


_READY: dict[str, PreparedSetup] = {}


def prepare_setup(setup: EvaluationSetup) -> PreparedSetup:
    """Return the preparation of a setup; the last one is cached."""
    if setup.key not in _READY:
        _READY.clear()
        _READY[setup.key] = PreparedSetup(setup)
    return _READY[setup.key]


def evaluate_chunk(setup: EvaluationSetup, chunk: CandidateChunk) -> ChunkResult:
    """Make and evaluate the candidates of a chunk; a pure function of its arguments.

    Args:
        setup: Size, styles, stock and requirements of the search.
        chunk: Candidates and the quality to beat in each cell.
    """
    refused: Counter[str] = Counter()
    here = prepare_setup(setup)
    make = _edited if setup.origin else _drawn
    made = [done for child in chunk.children if (done := make(here, child, refused)) is not None]
    elites = tuple(_elites(here, made, chunk.known, refused)) if made else ()
    return ChunkResult(chunk.number, elites, dict(refused))


def _drawn(here: PreparedSetup, child: CandidateSpec, refused: Counter[str]) -> Candidate | None:
    """Return the candidate built, repaired and furnished; None if it is unplayable or unchanged."""
    rng = Random(child.seed)
    style, wish = here.styles[child.style], here.setup.wish
    if isinstance(child.parent, MapGenome):
        draft = mutate_genome(child.parent, style, here.budget, wish, rng)
    else:
        draft = construct_genome(style, rng, here.budget, wish)
    done = repair_and_furnish(draft, rng, wish, refused)
    if done is None:
        return None
    draft, seen = done
    if isinstance(child.parent, MapGenome) and _same(draft.sketch, child.parent):
        refused["equal to its parent"] += 1
        return None
    board = draft.canvas.board()
    return Candidate(child, seen, style.grammar.proportions, board, draft)


def _edited(here: PreparedSetup, child: CandidateSpec, refused: Counter[str]) -> Candidate | None:
    """Return the parent's text, or the user's map, after a few gestures."""
    parent = child.parent if isinstance(child.parent, str) else here.setup.origin
    board, owned = adapter.board_of(parent), here.setup.owned
    done = mutate_text(parent, board, Random(child.seed), owned)
    if done is None:
        refused["equal to its parent"] += 1
        return None
    text, board = done
    return Candidate(
        child,
        composition.composition_features_of(canvas_of(board), USUAL_KINDS),
        CompositionTarget(),
        board,
        text=text,
    )


def _same(one: MapGenome, other: MapGenome) -> bool:
    """True if two genomes differ at most in their chests."""
    parts = (one.stamps, one.heart, one.bridges, one.things, one.symmetry)
    return parts == (other.stamps, other.heart, other.bridges, other.things, other.symmetry)


def _elites(
    here: PreparedSetup, made: list[Candidate], known: Mapping[Cell, float], refused: Counter[str]
) -> Iterator[Elite]:
    """Yield the candidates that beat the best known of their cells, after bot games and checks."""
    for each in made:
        surveyed = here.survey(each.board)
        if not is_connected(surveyed):
            refused["some class is cut off"] += 1
            continue
        traits, figures = behavior_descriptor(surveyed.position, here.setup.game.options)
        quality = fitness(each, figures, here.setup.wish)
        best = known.get(archive_cell(each.child.style, traits), float("-inf")) + BETTER
        if quality <= best:
            continue
        text = each.text
        if each.draft is not None:
            made_by = "Found by `fdforge search`"
            text = map_source(each.draft, each.child.seed, here.setup.wish.expects, made_by)
        if not _stands(here, each, text, refused):
            continue
        if here.setup.games:
            quality += liveliness(each.board, here.setup.game.options, here.setup.games)
            if quality <= best:
                refused["games by bots were less lively"] += 1
                continue
        sketch = None if each.draft is None else each.draft.sketch
        yield Elite(round(quality, 6), traits, each.child.style, sketch, text)


def _stands(here: PreparedSetup, each: Candidate, text: str, refused: Counter[str]) -> bool:
    """True if `check` finds nothing and the stock builds the map.

    A variant may have the issues of the user's map, and no others.
    """
    if each.draft is not None:
        return passes_check(text, refused)
    for issue in adapter.check(text).every:
        if here.spared[issue.code] == 0:
            refused[f"{issue.code} {issue.message}"] += 1
            return False
    owned = here.setup.owned
    if owned is not None and adapter.missing_parts(text, owned):
        refused["the stock does not build it"] += 1
        return False
    return True


def is_connected(surveyed: Surveyed) -> bool:
    """True if proof units connect starts and chests, and every class gets from start to start."""
    position, links = surveyed
    board, index = position.board, position.graph.index

    def numbered(surfaces: Iterable[tuple[Tile, int]]) -> int:
        return mask_of(index[at] for at in map(Surface._make, surfaces) if at in index)

    zones = [numbered(zone.surfaces) for zone in board.starts]
    starts = reduce(or_, zones, 0)
    goals = starts | numbered((chest.tile, chest.level) for chest in board.treasures)
    for ahead in map(links.__getitem__, position.game.proof_units):
        there = reachable_set(ahead, starts & -starts)
        back = reachable_set(reverse(ahead), starts & -starts)
        if goals & ~there or starts & ~back:
            return False
    return not any(
        starts & ~reachable_set(ahead, zone) for ahead in links.values() for zone in zones
    )


def behavior_descriptor(
    position: Position, options: FallDamageOptions
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the axes of a map in the archive, and the metrics for its fitness.

    Args:
        position: The board under its rules.
        options: Their options.
    """
    board, plain = position.board, position.plain
    levels = [surface.level for surface in position.graph.surfaces]
    count = max(len(levels), 1)
    seen = sum(mask.bit_count() for mask in position.seen or ())
    reached = [position.reached(plain, side, TURNS).bit_count() for side in position.sides]
    (meeting,) = contact(position)
    soonest = [NEVER if turn is None else turn for turn in meeting.values.values()]
    falls = worst_of(falls_of(position.graph, options))
    traits = {
        "verticality": sum(levels) / count,
        "openness": seen / max(count * (count - 1), 1),
        "ways": float(len(cut_between_sides(position))),
        "cost": float(sum(column.level for column in board.columns)),
    }
    figures = {
        "reach": sum(reached) / (max(len(reached), 1) * count),
        "contact": float(min(soonest, default=NEVER)),
        "high": sum(level >= HIGH for level in levels) / count,
        "falls": sum(damage >= 1 for damage, _ in falls) / count,
        "ways": traits["ways"],
        "levels": level_variety(board),
        "passages": passage_variety(board),
    }
    return {key: round(value, 6) for key, value in traits.items()}, figures


def fitness(each: Candidate, figures: Mapping[str, float], wish: MapRequirements) -> float:
    """Return the fitness of a map by play and by composition; 0 is best and never reached.

    The bands come from metrics that correlate with bot games; the last terms have no dead zone, so
    that two good maps rarely tie, and a good map can still be improved.

    Args:
        each: The map with its looks and proportions.
        figures: Metrics of its play by name.
        wish: Requirements of the search.
    """
    score = composition.score_features(each.looks, each.proportions, wish)
    score += 1.0 * composition.band(figures["reach"], 0.70, 0.90, 0.2)
    score += 1.0 * composition.band(figures["ways"], 4, 8, 2)
    score += 1.0 * composition.band(figures["contact"], 3, 5, 1)
    score += 0.8 * composition.band(figures["high"], 0.12, 0.50, 0.1)
    score -= min(abs(figures["falls"] - 0.30), 0.3)
    score -= min(abs(figures["reach"] - 0.80), 0.3) * 0.5
    return score + VARIED * (figures["levels"] - 1) + VARIED * (figures["passages"] - 1)

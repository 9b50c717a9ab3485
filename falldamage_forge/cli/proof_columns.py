"""Columns of the report of `fdforge prove`: pieces, joints, dials, feet, and parts as sliced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.report_table import Column, Table, row_json

if TYPE_CHECKING:
    from falldamage_forge.geometry.bed_adhesion import Foot


def _codes(proof: Any) -> list[str]:
    return [issue.code for issue in proof.issues()]


def _area(name: str, title: str, spec: str) -> Column:
    """Return the column of an area of a part as sliced."""
    return Column(f"{title}_mm2", title, spec, 2, lambda part: part.area_mm2(name))


def _verdict(well: str, proof_of: Callable[[Any], Any] = lambda row: row) -> Column:
    """Return the column of the verdict on what has issues, or goes well."""

    def verdict(row: Any) -> str:
        return "FAULTY" if any(True for _ in proof_of(row).issues()) else well

    return Column(title="verdict", value=verdict, left=True)


def piece_table(tallest: Foot | None) -> Table:
    """Return the table of printed pieces; feet are compared with that of the tallest block."""
    return (
        Column("key", "piece", value="name", left=True),
        Column("size_mm", value=lambda proof: [round(x, 3) for x in proof.soundness.size_mm]),
        Column("volume_mm3", digits=2, value="soundness.volume_mm3"),
        Column("triangles", value="soundness.triangles"),
        Column("layers", "layers"),
        Column("bridge_mm", "bridge", ".1f", 3),
        Column("cantilever_mm", "juts out", ".1f", 3),
        Column("islands", "islands"),
        Column("balance_mm", "balance", ".1f", 3),
        Column("foot", value=lambda proof: foot_json(proof.foot, tallest)),
        Column(title="foot", spec=lambda foot: _share(foot, tallest).rjust(5), value="foot"),
        Column("codes", value=lambda proof: sorted({issue.code for issue in proof.issues})),
        Column("faults", value=lambda proof: [row_json(FAULTS, one) for one in proof.faults]),
        Column(
            title="verdict", value=lambda proof: "FAULTY" if proof.issues else "prints", left=True
        ),
    )


FAULTS = (
    Column("code"),
    Column("message"),
    Column("place_mm", value=lambda fault: list(fault.place)),
)
JOINTS = (
    Column("name", value="joint.name"),
    Column("overlap_mm3", digits=4),
    Column("sunk_mm3", digits=3),
    Column("held_mm3", digits=3),
    Column("click_mm3", digits=3),
    Column("entry_mm3", digits=3),
    Column("codes", value=_codes),
)
DIALS = (
    Column("name", "dial", left=True),
    Column("overlap_mm3", digits=5),
    Column("sunk_mm3", digits=5),
    Column("between_mm3", digits=5),
    Column("held_mm3", digits=5),
    Column("turn_mm", "wheel bends", "{:.2f} mm".format, 5),
    Column(title="strain", spec=".2%", value="turn_strain"),
    Column("push_mm", "legs bend", "{:.2f} mm".format, 5),
    Column("turn_strain", digits=5),
    Column("push_strain", "strain", ".2%", 5),
    Column("codes", value=_codes),
    _verdict("clicks and holds"),
)
HOLDS = (
    Column("name", "on a tile", left=True),
    Column("lift_n", "lifts off at", "{:.1f} N".format, 2),
    Column("tip_gf", "tips at (top)", "{:.0f} gf".format, 1),
    Column("knock_mj", "knocked over by", "{:.2f} mJ".format, 3),
    Column("strain", "strain", ".2%", 5),
)
FEET = (
    Column("contact_mm2", digits=1),
    Column("patches"),
    Column("modulus_mm3", digits=1),
    Column("height_mm", digits=2),
    Column("tear_n", digits=2),
)


def foot_json(foot: Foot | None, tallest: Foot | None) -> dict[str, Any] | None:
    """Return a foot as JSON values; `tear_share` is of what the tallest block bears."""
    if foot is None or tallest is None:
        return None
    return row_json(FEET, foot) | {"tear_share": round(foot.share_of(tallest), 3)}


def _share(foot: Foot | None, tallest: Foot | None) -> str:
    """How much a part bears at its top before it tears off, beside the tallest block."""
    return f"{foot.share_of(tallest):.0%}" if foot and tallest else ""


def sliced_table(tallest: Foot) -> Table:
    """Return the table of parts as sliced; feet are compared with that of the tallest block."""
    return (
        Column("key", "as sliced", value="name", left=True),
        Column("layers", "layers"),
        _area("lost", "lost", "4.1f"),
        _area("added", "added", "5.1f"),
        _area("void", "voids", "5.1f"),
        Column("offset_mm", "offset", "+6.3f", 4),
        Column("spread_mm", digits=4),
        Column("bridge_mm", "bridge", "6.1f", 2, lambda part: part.widest_mm("bridge")),
        Column("jut_mm", digits=2, value=lambda part: part.widest_mm("jut")),
        Column("islands", value=lambda part: sum(spot.kind == "island" for spot in part.spots)),
        Column(title="foot", spec="4.0f", value="foot.contact_mm2"),
        Column(title="least W", spec="7.0f", value="foot.modulus_mm3"),
        Column(title=" tear", spec="5.0%", value=lambda part: part.foot.share_of(tallest)),
        Column("laid_share", " laid", "5.1%", 4, "solid_share"),
        Column("foot", value=lambda part: foot_json(part.foot, tallest)),
        Column("settings", value=lambda part: list(part.settings)),
        Column("faults", value=lambda part: dict(part.faults)),
        _verdict("as drawn"),
    )


def _play(plays: Sequence[float | None]) -> str:
    """Return the play to four sides in mm."""
    return "  " + "  ".join("free" if play is None else f"{play:4.2f}" for play in plays)


SEATS = (
    Column("name", "as sliced", value=lambda seat: seat[0].joint.name, left=True),
    Column("overlap_mm3", digits=4, value=lambda seat: seat[0].overlap_mm3),
    Column(
        title="play n    e     s     w", spec=_play, value=lambda seat: seat[1].play_mm, left=True
    ),
    Column(
        "play_mm",
        value=lambda seat: [None if x is None else round(x, 3) for x in seat[1].play_mm],
    ),
    Column("catch_mm", "catch", "5.2f", 3, lambda seat: seat[1].catch_mm),
    Column("click_mm", "click", "5.3f", 3, lambda seat: seat[1].click_mm),
    Column("codes", value=lambda seat: _codes(seat[0])),
    _verdict("fits and holds", lambda seat: seat[0]),
)
"""Joints as sliced: pairs of report and fit."""

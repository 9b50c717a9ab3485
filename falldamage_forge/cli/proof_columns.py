"""Columns of the report of `fdforge prove`: pieces, joints, dials, feet, and parts as sliced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.report_table import ReportColumn, Table, row_json

if TYPE_CHECKING:
    from falldamage_forge.geometry.bed_adhesion import Foot


def _codes(proof: Any) -> list[str]:
    return [issue.code for issue in proof.issues()]


def _area(name: str, title: str, spec: str) -> ReportColumn:
    """Return the column of an area of a part as sliced."""
    return ReportColumn(f"{title}_mm2", title, spec, 2, lambda part: part.area_mm2(name))


def _verdict(well: str, proof_of: Callable[[Any], Any] = lambda row: row) -> ReportColumn:
    """Return the column of the verdict on what has issues, or goes well."""

    def verdict(row: Any) -> str:
        return "FAULTY" if any(True for _ in proof_of(row).issues()) else well

    return ReportColumn(title="verdict", value=verdict, left=True)


def piece_table(tallest: Foot | None) -> Table:
    """Return the table of printed pieces; feet are compared with that of the tallest block."""
    return (
        ReportColumn("key", "piece", value="name", left=True),
        ReportColumn("size_mm", value=lambda proof: [round(x, 3) for x in proof.soundness.size_mm]),
        ReportColumn("volume_mm3", digits=2, value="soundness.volume_mm3"),
        ReportColumn("triangles", value="soundness.triangles"),
        ReportColumn("layers", "layers"),
        ReportColumn("bridge_mm", "bridge", ".1f", 3),
        ReportColumn("cantilever_mm", "juts out", ".1f", 3),
        ReportColumn("islands", "islands"),
        ReportColumn("balance_mm", "balance", ".1f", 3),
        ReportColumn("foot", value=lambda proof: foot_json(proof.foot, tallest)),
        ReportColumn(title="foot", spec=lambda foot: _share(foot, tallest).rjust(5), value="foot"),
        ReportColumn("codes", value=lambda proof: sorted({issue.code for issue in proof.issues})),
        ReportColumn("faults", value=lambda proof: [row_json(FAULTS, one) for one in proof.faults]),
        ReportColumn(
            title="verdict", value=lambda proof: "FAULTY" if proof.issues else "prints", left=True
        ),
    )


FAULTS = (
    ReportColumn("code"),
    ReportColumn("message"),
    ReportColumn("place_mm", value=lambda fault: list(fault.place)),
)
JOINTS = (
    ReportColumn("name", value="joint.name"),
    ReportColumn("overlap_mm3", digits=4),
    ReportColumn("sunk_mm3", digits=3),
    ReportColumn("held_mm3", digits=3),
    ReportColumn("click_mm3", digits=3),
    ReportColumn("entry_mm3", digits=3),
    ReportColumn("codes", value=_codes),
)
DIALS = (
    ReportColumn("name", "dial", left=True),
    ReportColumn("overlap_mm3", digits=5),
    ReportColumn("sunk_mm3", digits=5),
    ReportColumn("between_mm3", digits=5),
    ReportColumn("held_mm3", digits=5),
    ReportColumn("turn_mm", "wheel bends", "{:.2f} mm".format, 5),
    ReportColumn(title="strain", spec=".2%", value="turn_strain"),
    ReportColumn("push_mm", "legs bend", "{:.2f} mm".format, 5),
    ReportColumn("turn_strain", digits=5),
    ReportColumn("push_strain", "strain", ".2%", 5),
    ReportColumn("codes", value=_codes),
    _verdict("clicks and holds"),
)
HOLDS = (
    ReportColumn("name", "on a tile", left=True),
    ReportColumn("lift_n", "lifts off at", "{:.1f} N".format, 2),
    ReportColumn("tip_gf", "tips at (top)", "{:.0f} gf".format, 1),
    ReportColumn("knock_mj", "knocked over by", "{:.2f} mJ".format, 3),
    ReportColumn("strain", "strain", ".2%", 5),
)
FEET = (
    ReportColumn("contact_mm2", digits=1),
    ReportColumn("patches"),
    ReportColumn("modulus_mm3", digits=1),
    ReportColumn("height_mm", digits=2),
    ReportColumn("tear_n", digits=2),
)


def foot_json(foot: Foot | None, tallest: Foot | None) -> dict[str, Any] | None:
    """Return a foot as JSON values; `tear_share` is of what the tallest block bears.

    Args:
        foot: Foot of the piece on the bed.
        tallest: Foot of the tallest block of the catalogue.
    """
    if foot is None or tallest is None:
        return None
    return row_json(FEET, foot) | {"tear_share": round(foot.share_of(tallest), 3)}


def _share(foot: Foot | None, tallest: Foot | None) -> str:
    """How much a part bears at its top before it tears off, beside the tallest block."""
    return f"{foot.share_of(tallest):.0%}" if foot and tallest else ""


def sliced_table(tallest: Foot) -> Table:
    """Return the table of parts as sliced; feet are compared with that of the tallest block."""
    return (
        ReportColumn("key", "as sliced", value="name", left=True),
        ReportColumn("layers", "layers"),
        _area("lost", "lost", "4.1f"),
        _area("added", "added", "5.1f"),
        _area("void", "voids", "5.1f"),
        ReportColumn("offset_mm", "offset", "+6.3f", 4),
        ReportColumn("spread_mm", digits=4),
        ReportColumn("bridge_mm", "bridge", "6.1f", 2, lambda part: part.widest_mm("bridge")),
        ReportColumn("jut_mm", digits=2, value=lambda part: part.widest_mm("jut")),
        ReportColumn(
            "islands", value=lambda part: sum(spot.kind == "island" for spot in part.spots)
        ),
        ReportColumn(title="foot", spec="4.0f", value="foot.contact_mm2"),
        ReportColumn(title="least W", spec="7.0f", value="foot.modulus_mm3"),
        ReportColumn(title=" tear", spec="5.0%", value=lambda part: part.foot.share_of(tallest)),
        ReportColumn("laid_share", " laid", "5.1%", 4, "solid_share"),
        ReportColumn("foot", value=lambda part: foot_json(part.foot, tallest)),
        ReportColumn("settings", value=lambda part: list(part.settings)),
        ReportColumn("faults", value=lambda part: dict(part.faults)),
        _verdict("as drawn"),
    )


def _play(plays: Sequence[float | None]) -> str:
    """Return the play to four sides in mm."""
    return "  " + "  ".join("free" if play is None else f"{play:4.2f}" for play in plays)


SEATS = (
    ReportColumn("name", "as sliced", value=lambda seat: seat[0].joint.name, left=True),
    ReportColumn("overlap_mm3", digits=4, value=lambda seat: seat[0].overlap_mm3),
    ReportColumn(
        title="play n    e     s     w", spec=_play, value=lambda seat: seat[1].play_mm, left=True
    ),
    ReportColumn(
        "play_mm",
        value=lambda seat: [None if x is None else round(x, 3) for x in seat[1].play_mm],
    ),
    ReportColumn("catch_mm", "catch", "5.2f", 3, lambda seat: seat[1].catch_mm),
    ReportColumn("click_mm", "click", "5.3f", 3, lambda seat: seat[1].click_mm),
    ReportColumn("codes", value=lambda seat: _codes(seat[0])),
    _verdict("fits and holds", lambda seat: seat[0]),
)
"""Joints as sliced: pairs of report and fit."""

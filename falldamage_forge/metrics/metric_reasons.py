"""Reasons of metrics: the rule that each metric stands for, and its thresholds, as sentences.

`docs/metrics.md` defines the metrics; the studio shows these sentences beside the verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "connection": "The game ends when one team is gone, so each way to move must lead from each"
    " start to the other without damage.",
    "coverage": "A surface that no side reaches has no part in the game. Good from 90 % of all"
    " surfaces, mind from 70 %.",
    "contact": 'The rulebook says "Reach of 1 is considered melee". Good if no unit can attack'
    " one on the enemy's start in melee before turn 2.",
    "treasure": "Both sides should have the same turns to the chests. Good up to a difference of"
    " 1 turn, mind up to 2.",
    "control": "Both sides should be the first on as many surfaces. Good up to a difference of"
    " 10 %, mind up to 20 %.",
    "choke points": "A team that blocks every way between the starts cannot be passed. Good from"
    " 4 separate ways, mind from 2.",
    "high ground": "Attacks from above are stronger. Good if each highest surface has more than"
    " one way up, and no side is there half a turn sooner.",
    "robustness": 'The rulebook says "Bridges & Ladders can be targeted & destroyed". Good if both'
    " sides still reach each other and each chest without any one of them.",
    "first strike": "A unit should act before an enemy strikes it on its start. Good if no card"
    " can, mind up to 2 cards.",
    "push exposure": 'The rulebook says of a push "This will cause a enemy to fall if pushed into'
    ' open air". Good from 5 % to 45 % of all surfaces: falls are part of the game.',
    "sight": 'The rulebook says "LOS works by connecting a straight line through space from'
    ' attacker to target". Good if 25 % to 75 % of all pairs of surfaces see each other.',
    "played": "A map that promises to be fair should give both sides half of the score. Bots have"
    " played it: good if it is fair, bad if a side is favoured.",
}
"""Reason of each metric with a verdict, by the name of the metric."""

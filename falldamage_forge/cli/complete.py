"""What the Tab key offers for a MAP: the presets, and files."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def maps(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Preset maps that begin so; where there is none, the shell completes files."""
    from falldamage_forge import presets

    del ctx, param
    found = [CompletionItem(n) for n in presets.names("maps") if n.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]

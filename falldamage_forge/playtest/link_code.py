"""Codes and secrets of a game by link: packing, hash chains, dice, and seals of hidden items.

A code is `VERSION-GAME-DIGEST-BODY`: its body is JSON, base64url without padding, compressed by
`link_text`; in version 1 it is deflated as a whole. The digest detects each changed or missing
character. It proves nothing about its sender: `link_game` compares a link with the game that the
player has.

Source: dice from two hash chains, L. Lamport, "Password authentication with insecure
communication" (1981).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from typing import Any

from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.playtest.link_text import compressed, expanded

FIRST, VERSION = "1", "3"
"""Versions of codes that are read; `VERSION` is written."""
LINKS = 1024
"""Links of a chain: the greatest number of rolls in a game."""
SIZE = 16
"""Bytes of a secret, a chain's link and a seal."""
WIDTH = 2
"""Bytes of the number of words in a body."""
CHECKED = 9
"""Bytes of a code's digest."""
MOST_CODE = 400_000
"""Greatest number of characters of a code."""
_CODE = re.compile(rf"([{FIRST}{VERSION}])-([\w-]{{22}})-([\w-]{{12}})-([\w-]+)", re.ASCII)
_WORD = re.compile(r"(?<![\w-])[\w-]{21}[AQgw](?![\w-])", re.ASCII)
"""SIZE bytes as a word: its last character holds 2 bits."""
_HOLE = "\0"
"""Stands for a word in a text; JSON writes this character in another way."""
_OTHER = re.compile(r"(\d{1,6})-[\w-]{22}-", re.ASCII)


def broken(why: str, hint: str = "ask your friend for the link again") -> ForgeError:
    """Return the error (FDF384) of a link that this game cannot take.

    Args:
        why: Reason, in words after `the link is refused`.
        hint: What to do.
    """
    return refuse("FDF384", f"the link is refused: {why}", hint)


def digest(kind: str, *parts: bytes) -> bytes:
    """Return 16 bytes of the SHA-256 of a kind and parts, each with its length.

    Args:
        kind: Name of the use; digests of two kinds never agree.
        *parts: Bytes to hash.
    """
    told = (kind.encode(), *parts)
    whole = b"fdforge-link-1" + b"".join(len(part).to_bytes(4, "big") + part for part in told)
    return hashlib.sha256(whole).digest()[:SIZE]


def word(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_word(text: str) -> bytes:
    """Return the bytes of `word`; ValueError for any other text."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    if word(data) != text:  # unused bits of the last character are 0
        raise ValueError("it is not in its shortest form")
    return data


# -- codes -----------------------------------------------------------------------------------------


def pack(game: bytes, value: Any) -> str:
    """Return the code of a JSON value.

    Args:
        game: 16 bytes that both players' codes of a game have in common.
        value: The value.
    """
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    head, body = f"{VERSION}-{word(game)}", word(_pressed(text))
    return f"{head}-{_checked(head, body)}-{body}"


def _pressed(text: str) -> bytes:
    """Return the body of a JSON text: number of words, words, the rest."""
    words, lines = _parted(text)
    return b"".join((len(words).to_bytes(WIDTH, "big"), *map(from_word, words), compressed(lines)))


def _parted(text: str) -> tuple[list[str], bytes]:
    """Return the words of a JSON text, and the rest with real line feeds."""
    return _WORD.findall(text), _WORD.sub(_HOLE, text).replace("\\n", "\n").encode()


def _unpressed(body: bytes) -> str:
    """Return the JSON text of a body; ValueError if `_pressed` packs no text to its content."""
    count = int.from_bytes(body[:WIDTH], "big")
    start = WIDTH + SIZE * count
    lines = expanded(body[start:])
    words = [word(body[at : at + SIZE]) for at in range(WIDTH, start, SIZE)]
    parts = lines.decode().replace("\n", "\\n").split(_HOLE)
    if len(parts) != count + 1:
        raise ValueError("it has other words")
    text = "".join(part for pair in zip(parts, [*words, ""], strict=True) for part in pair)
    if _parted(text) != (words, lines):
        raise ValueError("it is not in its shortest form")
    return text


def unpack(code: str) -> tuple[bytes, Any]:
    """Return the game and the value of a code.

    Raises:
        ForgeError (FDF384): If the code is damaged, or of a version that is not read.
    """
    found = _CODE.fullmatch(code) if len(code) <= MOST_CODE else None
    if found is None:
        other = _OTHER.match(code)
        if other and other[1] not in (FIRST, VERSION):
            hint = "both players need the same version of the studio"
            raise broken(f"its version is {other[1]}, and this studio reads {VERSION}", hint)
        raise broken("it is no link of a game, or a part of it is missing")
    version, game, checked, body = found.groups()
    if checked != _checked(f"{version}-{game}", body):
        raise broken("a character of it is changed or missing")
    try:
        data = from_word(body)
        text = _unpressed(data) if version == VERSION else expanded(data, b"").decode()
        return from_word(game), json.loads(text)
    except (ValueError, RecursionError):
        raise broken("its content cannot be read") from None


def _checked(head: str, body: str) -> str:
    whole = f"{head}-{body}".encode()
    return word(hashlib.sha256(whole).digest()[:CHECKED])


# -- dice ------------------------------------------------------------------------------------------


def chain_link(secret: bytes, number: int) -> bytes:
    """Return a link of a chain: number 0 commits to all others, each reveals those before it.

    Args:
        secret: 16 bytes that only the chain's owner knows.
        number: From 0 to LINKS.
    """
    for _ in range(LINKS - number):
        secret = digest("chain", secret)
    return secret


def is_link(link: bytes, number: int, end: bytes) -> bool:
    """True if a link is number `number` of the chain that ends at `end`.

    Args:
        link: Link of a hash chain, `SIZE` bytes.
        number: Number of hashes up to the end of the chain.
        end: End of the chain, `SIZE` bytes.
    """
    for _ in range(number):
        link = digest("chain", link)
    return hmac.compare_digest(link, end)


def roll(game: bytes, number: int, red: bytes, blue: bytes) -> Iterator[int]:
    """Yield the bytes of a roll, which neither player could choose or foresee.

    Args:
        game: Identity of the game.
        number: Number of the roll, from 1.
        red: Link of red's chain with this number.
        blue: Link of blue's chain with this number.
    """
    key = digest("roll", game, number.to_bytes(4, "big"), red, blue)
    block = 0
    while True:
        yield from hmac.digest(key, block.to_bytes(4, "big"), "sha256")
        block += 1


def below(rolled: Iterator[int], count: int) -> int:
    """Return a number from 0 to `count` - 1, each as likely; bytes above a multiple are skipped.

    Args:
        rolled: Random bytes; as many as necessary are drawn.
        count: Number of results, from 1 to 256.
    """
    limit = 256 - 256 % count
    return next(byte for byte in rolled if byte < limit) % count


# -- hidden items ----------------------------------------------------------------------------------


def seal(game: bytes, index: int, nonce: bytes, move: str) -> bytes:
    """Return the commitment to a move that hides an item.

    Args:
        game: Identity of the game.
        index: Place of the move among the entries of the game.
        nonce: 16 bytes that its owner reveals with the move.
        move: The move's text.
    """
    return digest("seal", game, index.to_bytes(4, "big"), nonce, move.encode())

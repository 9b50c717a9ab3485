"""What leaves the page: the link, its code read by a scanner from the screen, and a picture."""

import base64
import io
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.render.chromium import BINARY, WEBGL, Chromium
from tests.render.test_qr_code import read
from tests.studio.hands import Hands
from tests.studio.judge import judged
from tests.studio.test_server import Studio

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
SITE = "https://example.org/forge/"
WINDOWS = {"desk": (1440, 900), "upright": (390, 844), "sideways": (844, 390)}
TOLD = "document.querySelector('#share-told').textContent"
PLACES = """[...document.querySelectorAll('#sharing button')].map((one) => {
  const { left, top } = one.getBoundingClientRect();
  return [left, top];
})"""
LONG = 4_000
"""Characters that no compression shortens below what a code holds."""


class Sharer(Hands):
    """A page of a studio that names a public site, or names none."""

    def __init__(self, folder: Path) -> None:
        self.studio = Studio(folder, "duel")
        self.browser = Chromium(folder / "profile", *WEBGL)

    def open(self, *more: str, window: str = "desk", theme: str = "light") -> None:
        self.browser.open("about:blank", "true")
        self.studio.close()
        self.studio.begin(*more)
        self.browser.narrow(*WINDOWS[window])
        url = self.studio.url.replace("/#", "/?quality=low#")
        self.browser.open(url, "window.studio?.view.board && studio.app.sync.idle")
        self.browser.run(f"document.documentElement.dataset.theme = {theme!r}")

    def share(self) -> str:
        self.places = self.browser.run(
            "new Promise((done) => { new MutationObserver(() => done("
            f"{PLACES})).observe(document.querySelector('#sharing'), {{ attributes: true }});"
            " document.querySelector('#share').click(); })"
        )
        return str(self.browser.run("document.querySelector('#share-link').value"))

    def close(self) -> None:
        self.browser.close()
        self.studio.close()


@pytest.fixture(scope="module")
def sharer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sharer]:
    found = Sharer(tmp_path_factory.mktemp("sharing"))
    yield found
    assert found.browser.complaints() == []
    found.close()


def text_in(link: str) -> str:
    word = link.partition("#map=")[2]
    return zlib.decompress(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)), -15).decode()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("window", WINDOWS)
def test_a_camera_reads_the_map_from_the_screen(sharer: Sharer, window: str, theme: str) -> None:
    sharer.open("--public-url", SITE, window=window, theme=theme)
    link = sharer.share()
    sharer.wait("document.querySelector('#qr path').getAttribute('d')")
    assert sharer.browser.run(PLACES) == sharer.places, "a button moved when the code came"
    sharer.browser.run("document.querySelector('#qr').scrollIntoView({ block: 'center' })")
    assert judged(sharer.browser, axe=False) == []
    assert read(sharer.browser.screenshot()) == [link]
    assert sharer.browser.run("document.querySelector('#share-link').scrollLeft") == 0
    assert sharer.browser.run("document.activeElement.id") == "share-copy"
    assert link.startswith(f"{SITE}studio.html#map=")
    assert text_in(link) == sharer.text()


def test_a_link_to_this_computer_says_so_and_has_no_code(sharer: Sharer) -> None:
    sharer.open()
    link = sharer.share()
    assert link.startswith("http://127.0.0.1:")
    assert "opens on this computer only" in sharer.browser.run(TOLD)
    assert not sharer.browser.run("document.querySelector('#qr').checkVisibility()")


@pytest.mark.parametrize("window", WINDOWS)
def test_a_camera_reads_the_link_of_a_game_from_the_screen(sharer: Sharer, window: str) -> None:
    sharer.open("--public-url", SITE, window=window)
    sharer.wait("!document.querySelector('#begin').disabled")
    sharer.browser.run("studio.app.wire.say('play', { do: 'offer', values: { rounds: 6 } }), true")
    sharer.wait("document.querySelector('#friend-code path').getAttribute('d')")
    link = sharer.browser.run("document.querySelector('#friend-link').value")
    assert link.startswith(f"{SITE}studio.html#game=")
    sharer.wait("!studio.view.waiting")
    sharer.browser.run("document.querySelector('#friend-code').scrollIntoView({ block: 'center' })")
    assert judged(sharer.browser, axe=False) == []
    picture = sharer.browser.screenshot()
    sharer.browser.run("document.querySelector('#leave').click()")
    sharer.wait("!studio.state.play")
    assert read(picture) == [link]


def test_a_game_of_this_computer_has_no_code(sharer: Sharer) -> None:
    sharer.open()
    sharer.wait("!document.querySelector('#begin').disabled")
    sharer.browser.run("studio.app.wire.say('play', { do: 'offer', values: { rounds: 6 } }), true")
    sharer.wait("document.querySelector('#friend-link').value")
    assert not sharer.browser.run("document.querySelector('#friend-code').checkVisibility()")
    sharer.browser.run("document.querySelector('#leave').click()")
    sharer.wait("!studio.state.play")


@pytest.mark.parametrize("window", WINDOWS)
def test_a_copied_link_is_told_in_the_dialog(sharer: Sharer, window: str) -> None:
    sharer.open("--public-url", SITE, window=window)
    link = sharer.share()
    sharer.browser.run("navigator.clipboard.writeText = async () => {}; true")
    sharer.press("#share-copy")
    sharer.wait(f"document.querySelector('#spoken').textContent.includes('{len(link)}')")
    assert sharer.browser.run(
        "(() => { const { left, bottom } = document.querySelector('#sharing #spoken')"
        ".getBoundingClientRect();"
        " return document.elementFromPoint(left + 1, bottom - 2)?.id === 'spoken'; })()"
    )
    sharer.browser.run("document.querySelector('#sharing').close()")
    sharer.wait("document.querySelector('footer #spoken')")


def test_a_map_that_no_code_holds_has_its_link(sharer: Sharer) -> None:
    sharer.open("--public-url", SITE)
    noise = (
        f"Array.from(crypto.getRandomValues(new Uint8Array({LONG})),"
        " (one) => String.fromCharCode(48 + (one % 74))).join('').match(/.{1,900}/g)"
        ".map((line) => `\\n# ${line}`).join('')"
    )
    sharer.browser.run(f"studio.app.editor.put(studio.app.editor.area.value + {noise})")
    sharer.wait("studio.app.sync.idle")
    link = sharer.share()
    sharer.wait(f"{TOLD}.startsWith('No code can hold')")
    assert not sharer.browser.run("document.querySelector('#qr').checkVisibility()")
    assert text_in(link) == sharer.text()


def test_a_picture_shows_the_board_as_it_is_seen(sharer: Sharer) -> None:
    from PIL import Image, ImageChops, ImageStat

    sharer.open("--public-url", SITE)
    sharer.share()
    sharer.wait("!studio.view.waiting")
    data = sharer.saved(lambda: sharer.press("#share-picture"), "*.png")
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    sharer.browser.run("document.querySelector('#sharing').close()")
    left, top, wide, high = sharer.browser.run(
        "(({ left, top, width, height }) => [left, top, width, height])"
        "(studio.view.canvas.getBoundingClientRect())"
    )
    assert picture.width == round(wide)
    assert picture.height > round(high)
    # A middle that no control covers, on the screen and in the picture.
    screen = Image.open(io.BytesIO(sharer.browser.screenshot())).convert("RGB")
    middle = (wide * 0.4, high * 0.4, wide * 0.6, high * 0.6)
    seen = screen.crop(tuple(round(at) for at in (middle[0] + left, middle[1] + top,
                                                  middle[2] + left, middle[3] + top)))  # fmt: skip
    kept = picture.crop(tuple(round(at) for at in middle))
    assert max(ImageStat.Stat(kept).stddev) > 10
    apart = ImageChops.difference(seen, kept.resize(seen.size))
    assert max(ImageStat.Stat(apart).mean) < 12
    band = picture.crop((0, round(high), picture.width, picture.height))
    assert max(ImageStat.Stat(band).stddev) > 5  # the title


def test_a_picture_is_copied_to_be_pasted_elsewhere(sharer: Sharer) -> None:
    sharer.open("--public-url", SITE)
    sharer.share()
    sharer.browser.run(
        "navigator.clipboard.write = async ([one]) => {"
        " window.pasted = await one.getType('image/png'); }, true"
    )
    sharer.press("#share-picture-copy")
    sharer.wait("window.pasted?.size > 1000 && document.querySelector('#spoken').textContent")
    assert sharer.browser.run("window.pasted.type") == "image/png"
    sharer.browser.run("document.querySelector('#sharing').close()")

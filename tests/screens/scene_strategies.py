"""Any scene at all, sensible or not: what a layout must bear."""

from hypothesis import strategies as st

from companion.core.panel import BUTTONS, Colour
from companion.core.ruling.looks import PLAIN
from companion.core.ruling.view import Area, Cell, View
from companion.core.shown.scene import (
    Allowance,
    Choosing,
    Final,
    Idle,
    Lobby,
    Menu,
    MenuItem,
    Question,
    Results,
    Row,
    Scene,
    Standing,
    Status,
    Turn,
)
from companion.games.apache.cards import Role
from companion.games.apache.wording import NO_BOOTY, NO_INDIAN
from tests.screens.scenes import BOOTY, INDIANS, LOOK

colours = st.sampled_from(Colour)
roles = st.sampled_from(Role)
cards = st.sampled_from((*BOOTY, *INDIANS))
texts = st.one_of(
    cards,
    st.sampled_from(("", "it was a play", "5 totem poles, prisoner purple warrior or yellow warrior")),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    st.text("WM m", min_size=20, max_size=90),
)
times = st.one_of(st.integers(-(10**9), 10**10), st.integers(-(2**63), 2**63))
items = st.builds(
    MenuItem,
    texts,
    st.one_of(st.just(""), texts),
    st.none() | roles,
    st.none() | st.sampled_from([button.label for button in BUTTONS]) | texts,
)


@st.composite
def menus(draw):
    listed = draw(st.lists(items, max_size=30))
    cursor = draw(st.integers(0, max(0, len(listed) - 1)))
    return Menu(draw(texts), tuple(listed), cursor)


rows = st.builds(
    Row,
    st.integers(1, 5) | st.integers(1, 10**6),
    colours,
    roles,
    times,
    st.integers(0, 2**40),
    st.booleans(),
    st.none() | st.sampled_from(("claim", "punish")),
    st.none() | st.sampled_from((NO_INDIAN, NO_BOOTY)) | texts,
    st.just(()),
    texts,
    texts,
    st.none()
    | st.builds(Allowance, st.integers(1, 60_000 * 10**6), st.integers(0, 2**63), st.none() | st.integers(0, 2**63)),
)
turns = st.builds(
    Turn,
    colours,
    roles,
    st.sampled_from(("claimed", "nothing", "punished")) | texts,
    texts,
    st.lists(cards | texts, max_size=50).map(tuple),
    texts,
)
areas = st.builds(Area, texts, st.lists(st.builds(Cell, texts, st.none() | colours), max_size=8).map(tuple), texts)
numbers = st.integers(0, 10**6)
views = st.builds(
    View,
    st.lists(st.tuples(colours, st.integers(-999, 10**9)), max_size=5, unique_by=lambda pair: pair[0]).map(tuple),
    texts,
    st.lists(st.tuples(cards | texts, st.integers(0, 10**6)), max_size=30).map(tuple),
    st.just(()),
    st.none() | colours,
    st.none() | st.integers(0, 10**6),
    texts,
    st.none() | numbers,
    st.lists(areas, max_size=6).map(tuple),
    st.just(()),
    st.lists(texts, max_size=3).map(tuple),
)
few_rows = st.lists(rows, max_size=7).map(tuple)
seats = st.lists(colours, max_size=5, unique=True).map(tuple)
bodies = st.one_of(
    st.builds(Lobby, seats, menus()),
    st.builds(Idle, texts, views, texts, st.none() | menus(), st.booleans(), texts),
    st.builds(
        Standing,
        numbers,
        few_rows,
        st.sampled_from(Status),
        st.lists(st.tuples(colours, roles), max_size=6).map(tuple),
        st.none() | times,
        st.none() | menus(),
    ),
    st.builds(
        Choosing,
        st.none() | numbers,
        st.none() | colours,
        menus(),
        st.integers(0, 2),
        texts,
        texts,
        st.booleans(),
        seats,
    ),
    st.builds(
        Results,
        numbers,
        few_rows,
        st.lists(turns, max_size=5).map(tuple),
        st.sampled_from(Status),
        views,
        st.integers(-1, 5),
    ),
    st.builds(Question, texts, st.lists(texts, max_size=5).map(tuple), menus()),
    st.builds(Final, texts, views, seats),
)
scenes = st.builds(
    Scene,
    bodies,
    st.lists(texts, max_size=4).map(tuple),
    st.one_of(st.just(""), texts),
    st.booleans(),
    look=st.sampled_from((LOOK, PLAIN)),
)

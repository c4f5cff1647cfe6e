"""One of each third-party app for all real-app tests, which are skipped, saying why, without them."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.real_apps.kinto_world import kinto_world
from tests.real_apps.matrix_world import matrix_world
from tests.real_apps.processes import find_missing, find_missing_program
from tests.real_apps.rabbitmq_world import need_rabbitmq, rabbitmq_world
from tests.real_apps.redmine_world import need_redmine, redmine_world
from tests.real_apps.review_board_world import review_board_world
from tests.real_apps.wordpress_world import WordPressWorld, need_wordpress, wordpress_world


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark everything here as starting third-party software."""
    item.add_marker(pytest.mark.real_apps)


def service_before(start: Callable[[Path], AbstractContextManager[Any]], look: Callable[[], str | None]) -> Any:
    """The whole service in front of an app, for the whole run; `look` skips, or says why, where that is not there."""

    @pytest.fixture(scope="session")
    def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
        if (missing := look()) is not None:
            pytest.skip(missing)
        with start(tmp_path_factory.mktemp("world")) as world:
            yield world

    return started


# Tests keep apart by their users.
world = service_before(kinto_world, find_missing)
at_matrix = service_before(matrix_world, lambda: find_missing_program("register_new_matrix_user"))
at_rabbitmq = service_before(rabbitmq_world, need_rabbitmq)
at_redmine = service_before(redmine_world, need_redmine)
at_review_board = service_before(review_board_world, lambda: find_missing_program("rb-site"))
one_wordpress = service_before(wordpress_world, need_wordpress)


@pytest.fixture
def at_wordpress(one_wordpress: WordPressWorld) -> Iterator[WordPressWorld]:
    """WordPress for one test; fails with what a program of it has printed if that has ended."""
    one_wordpress.wordpress.goes_on()
    yield one_wordpress
    one_wordpress.wordpress.goes_on()

"""One of each third-party app for all real-app tests, which are skipped, saying why, without them."""

from collections.abc import Iterator

import pytest

from tests.real_apps.kinto_world import KintoWorld, kinto_world
from tests.real_apps.matrix_world import MatrixWorld, matrix_world
from tests.real_apps.processes import find_missing, find_missing_program
from tests.real_apps.rabbitmq_world import RabbitMQWorld, need_rabbitmq, rabbitmq_world
from tests.real_apps.redmine_world import RedmineWorld, need_redmine, redmine_world
from tests.real_apps.review_board_world import ReviewBoardWorld, review_board_world
from tests.real_apps.wordpress_world import WordPressWorld, need_wordpress, wordpress_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KintoWorld]:
    """The whole service in front of Kinto, for the whole run; tests keep apart by their users."""
    missing = find_missing()
    if missing is not None:
        pytest.skip(missing)
    with kinto_world(tmp_path_factory.mktemp("kinto-world")) as started:
        yield started


@pytest.fixture(scope="session")
def at_redmine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedmineWorld]:
    """The whole service in front of Redmine, for the whole run; tests keep apart by their users."""
    need_redmine()
    with redmine_world(tmp_path_factory.mktemp("redmine-world")) as started:
        yield started


@pytest.fixture(scope="session")
def at_rabbitmq(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RabbitMQWorld]:
    """The whole service in front of RabbitMQ and its provider, for the whole run; tests keep apart by their users."""
    need_rabbitmq()
    with rabbitmq_world(tmp_path_factory.mktemp("rabbitmq-world")) as started:
        yield started


@pytest.fixture(scope="session")
def review_board_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReviewBoardWorld]:
    """The whole service in front of Review Board, for the whole run; tests keep apart by their users."""
    missing = find_missing_program("rb-site")
    if missing is not None:
        pytest.skip(missing)
    with review_board_world(tmp_path_factory.mktemp("review-board-world")) as started:
        yield started


@pytest.fixture(scope="session")
def one_wordpress(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WordPressWorld]:
    """The whole service in front of WordPress, for the whole run; tests keep apart by their users."""
    need_wordpress()
    with wordpress_world(tmp_path_factory.mktemp("wordpress-world")) as started:
        yield started


@pytest.fixture
def at_wordpress(one_wordpress: WordPressWorld) -> Iterator[WordPressWorld]:
    """WordPress for one test; fails with what a program of it has printed if that has ended."""
    one_wordpress.wordpress.goes_on()
    yield one_wordpress
    one_wordpress.wordpress.goes_on()


@pytest.fixture(scope="session")
def matrix_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MatrixWorld]:
    """The whole service in front of Synapse, for the whole run; tests keep apart by their users."""
    missing = find_missing_program("register_new_matrix_user")
    if missing is not None:
        pytest.skip(missing)
    with matrix_world(tmp_path_factory.mktemp("matrix-world")) as started:
        yield started

"""Review Board 8 is run by the tests."""

from tests.connectors.descriptions.running_software import RunningSoftware

RUN = RunningSoftware(
    "Review Board 8", ("tests/real_apps/test_review_board_*.py", "tests/connectors/test_review_board_*.py")
)

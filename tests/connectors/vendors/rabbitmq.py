"""RabbitMQ 3.10 (Debian) is run by the tests."""

from tests.connectors.descriptions.running_software import RunningSoftware

RUN = RunningSoftware(
    "RabbitMQ 3.10 (Debian)", ("tests/real_apps/test_rabbitmq_*.py", "tests/connectors/test_rabbitmq_*.py")
)

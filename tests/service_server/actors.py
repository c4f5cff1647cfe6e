"""Those who act in tests."""

from service_server.administration.actors import Actor

OWNER = Actor(name="olga", via="console", role="owner", address="192.0.2.1", request_id="r-owner")
DEVELOPER = Actor(name="dora", via="console", role="developer")
VIEWER = Actor(name="vera", via="console", role="viewer")

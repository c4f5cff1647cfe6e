"""Slack by its own client for Node: the list of methods and the types of their arguments."""

from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware
from tests.connectors.descriptions.slack import MethodList

CHECK = MethodList(
    npm(
        "@slack/web-api@8.2.0",
        "sha512-bIW8/8BLD/HLuHLIA2LfA7AhSokzui4swCbMJuwoRJxn/kzHVla6YEKLvN1nCFHK/DfX7g+4Wj3ess/ZSh/tWQ==",
    ),
    base_url="https://slack.com/api",
    methods="dist/methods.d.ts",
    types=("dist/types/request/*.d.ts", "dist/types/helpers.d.ts"),
)

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_slack.py",))

"""docs/backends.md: its code stands in the examples, and the hash is right in each language."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from functools import partial
from pathlib import Path

import pytest

from service_client import sign
from tests.docs.code_blocks import section_of
from tests.real_apps.running import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "backends.md").read_text("utf-8")
EXAMPLES = {"FastAPI": "with_fastapi.py", "Flask": "with_flask.py", "Django": "with_django.py", "Node": "with_node.mjs"}
SECRET, USER_ID = "a secret of the application", "Zoë 梅 &c."
# The program of each language around the page's lines: the secret is a variable, the user's id comes as bytes of UTF-8.
PROGRAMS = {
    "python": """
        import hashlib, hmac, os, sys
        secret, user_id = os.environ["SECRET"], sys.stdin.buffer.read().decode()
        {lines}
        print(hash)
    """,
    "php": """
        <?php
        [$secret, $userId] = [getenv("SECRET"), stream_get_contents(STDIN)];
        {lines}
        echo $hash;
    """,
    "ruby": """
        require "openssl"
        secret, user_id = ENV["SECRET"], STDIN.read
        {lines}
        puts hash
    """,
    "java": """
        import java.nio.charset.StandardCharsets;
        import java.util.HexFormat;
        import javax.crypto.Mac;
        import javax.crypto.spec.SecretKeySpec;
        class Program {{
          public static void main(String[] arguments) throws Exception {{
            String secret = System.getenv("SECRET");
            String userId = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
            {lines}
            System.out.println(hash);
          }}
        }}
    """,
    "go": """
        package main
        import ("crypto/hmac"; "crypto/sha256"; "encoding/hex"; "fmt"; "io"; "os")
        func main() {{
          secret := os.Getenv("SECRET")
          given, _ := io.ReadAll(os.Stdin)
          userID := string(given)
          {lines}
          fmt.Println(hash)
        }}
    """,
}
RUN_BY = {
    "python": ("Program.py", sys.executable),
    "php": ("Program.php", "php"),
    "ruby": ("Program.rb", "ruby"),
    "java": ("Program.java", "java"),
    "go": ("Program.go", "go", "run"),
}


section = partial(section_of, PAGE)


def blocks(text: str, language: str = r"\w+") -> list[str]:
    """The code in a text."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("framework", EXAMPLES)
def test_what_is_shown_of_a_framework_stands_in_its_example(framework: str) -> None:
    """Word for word, so that the tests of the example are tests of the page."""
    shown = blocks(section(framework))
    example = (ROOT / "examples" / "backends" / EXAMPLES[framework]).read_text("utf-8")

    assert f"examples/backends/{EXAMPLES[framework]}" in section(framework)
    assert len(shown) > 0
    assert [] == [block for block in shown if block not in example]


def test_every_language_has_a_program() -> None:
    """No line of the page is left out of the next test, but for that of which the page says so."""
    shown = re.findall(r"^```(\w+)$", section("Other languages"), re.MULTILINE)

    assert [*PROGRAMS, "csharp"] == shown


@pytest.mark.parametrize("language", [name for name, (_, by, *_) in RUN_BY.items() if shutil.which(by)])
def test_the_hash_in_another_language(language: str, tmp_path: Path) -> None:
    """Where the language is installed, its lines give what the service expects, for ids that aren't ASCII, too."""
    [lines] = blocks(section("Other languages"), language)
    name, *command = RUN_BY[language]
    file = tmp_path / name
    file.write_text(textwrap.dedent(PROGRAMS[language]).strip().format(lines=lines.strip()), "utf-8")
    env = {**os.environ, "SECRET": SECRET, "HOME": str(tmp_path)}
    done = subprocess.run(
        [*command, file], env=env, cwd=tmp_path, input=USER_ID.encode(), capture_output=True, check=True
    )

    assert sign(USER_ID, SECRET) == done.stdout.decode().strip().lower()

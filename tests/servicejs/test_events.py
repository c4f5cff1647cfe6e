"""Events: order, replay, once, unsubscribing. What tells them is the shell's, so this runs in Node."""

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from servicejs.bundle.scripts import SCRIPTS

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="It needs Node.")

EVENTS = re.findall(r'^  "([a-z-]+)",$', (SCRIPTS / "events.js").read_text(), re.MULTILINE)


def told(script: str) -> Any:
    """Run what a page does with an emitter and `events`; what was put into `told`, each handler with its own mark."""
    program = f"""
      import {{ Emitter }} from {json.dumps(str(SCRIPTS / "events.js"))};
      globalThis.reportError = ({{ message }}) => told.push(["reported", message]);
      const told = [], emitter = new Emitter(), events = emitter.face(() => {{}});
      const as = (mark) => (payload) => told.push([mark, payload]);
      {script}
      console.log(JSON.stringify(told));
    """
    command = ["node", "--no-warnings", "--input-type=module", "--eval", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_events_reach_handlers_in_their_order() -> None:
    """Handlers are called in the order they came, events in the order they were emitted; no failure harms another."""
    found = told("""
      events.on("app-connected", as("first"));
      events.on("app-disconnected", as("other"));
      events.on("app-connected", () => { throw new Error("the host's own mistake") });
      events.on("app-connected", as("second"));
      emitter.emit("app-connected", 1);
      emitter.emit("app-connected", 2);
    """)
    failed = ["reported", "the host's own mistake"]

    assert [["first", 1], failed, ["second", 1], ["first", 2], failed, ["second", 2]] == found


def test_late_handlers_are_told_how_the_instance_stands() -> None:
    """`ready` and `error` are told again, once and after the call; news is not, and `ready` takes back an `error`."""
    found = told("""
      emitter.emit("error", 1);
      await events.on("error", as("late"));
      emitter.emit("app-connected", 2);
      await events.on("app-connected", as("news"));
      const telling = events.on("error", as("changed meanwhile"));
      told.push(["here", 0]);
      emitter.emit("ready", 3);
      await telling;
      await events.on("error", as("taken back"));
      events.on("ready", as("told again"));
      emitter.emit("ready", 4);
      await null;
    """)

    assert [["late", 1], ["here", 0], ["told again", 4]] == found


def test_once_is_told_a_single_time() -> None:
    """It ends with its first event, be that a replayed one."""
    found = told("""
      events.once("app-connected", as("news"));
      emitter.emit("ready", 1);
      await events.once("ready", as("replayed"));
      for (const event of ["app-connected", "app-connected", "ready"]) emitter.emit(event, 2);
    """)

    assert [["replayed", 1], ["news", 2]] == found


def test_unsubscribing_ends_one_handler_or_all_of_an_event() -> None:
    """Also while an event is being told; other events are left alone."""
    found = told("""
      const one = as("one"), two = as("two");
      events.on("app-connected", (payload) => payload === 1 || events.unsub("app-connected", two));
      const stop = await events.on("app-connected", one);
      events.on("app-connected", two);
      events.on("app-disconnected", as("other"));
      emitter.emit("app-connected", 1);
      emitter.emit("app-connected", 2);
      await stop();
      emitter.emit("app-connected", 3);
      events.on("app-connected", as("three"));
      await events.unsub("app-connected");
      emitter.emit("app-connected", 4);
      emitter.emit("app-disconnected", 5);
    """)

    assert [["one", 1], ["two", 1], ["one", 2], ["other", 5]] == found


def test_what_is_no_event_or_handler_is_refused() -> None:
    """An unknown name is an error that lists the events; so does unsubscribing it."""
    refused = told("""
      const refuse = ({ code, message }) => told.push([code, message]);
      for (const event of ["app-conected", "", null, 3, ["ready"]]) await events.on(event, () => {}).catch(refuse);
      await events.unsub("nothing").catch(refuse);
      await events.on("ready").catch(refuse);
      emitter.emit("ready", 1);
    """)

    assert ["unknown_event"] * 6 + ["invalid_argument"] == [code for code, _message in refused]
    assert all(", ".join(EVENTS) in message for _code, message in refused[:6])

"""
How well prompts in other languages are predicted: `prompts/languages.jsonl`, beside English in the same run.

For each language 100 prompts for the fifty functions that people need most, two each, and 10 that nothing serves; in
English one prompt for each of the same functions. `service-server predict` is asked twice: for the whole catalogue, and
for the arguments of the right function, which tells these from the choice. `./dev bench languages [--language de …]
[--without-model] [--model-dir DIR] [--everyday] [--wrong]`; `--wrong` prints every prompt of which something is wrong.

`--everyday` measures other prompts, `prompts/languages_everyday.jsonl`, without English: 41 requests as they are said,
each in five languages; half were looked at while words and rules were written, the others were kept from that.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from attrs import frozen

PROMPTS = Path(__file__).parent / "prompts" / "languages.jsonl"
EVERYDAY = PROMPTS.with_stem("languages_everyday")
NOW = "2026-11-18T09:30:00"  # a Wednesday
ENGLISH = "en"
FIRST = 5
# What a language is to reach of English in the same run.
GOALS = {"function_ratio": 0.9, "arguments_ratio": 0.9}
HEADINGS = {
    "function": "right function",
    "first_five": "among the first five",
    "refused": "refused rightly",
    "arguments": "arguments, given the name",
    "words": "words",
    "numbers": "numbers",
    "dates": "dates",
    "whole_call": "whole call",
}


@frozen
class Prompt:
    """
    A prompt of the suite.

    `functions` are all that serve it, the first of them the one whose `arguments` are known: by name the values that
    are right, of which `None` stands for leaving it out. `kept` ones were not looked at when rules were written.
    """

    language: str
    prompt: str
    functions: tuple[str, ...]
    names_app: bool = False
    arguments: Mapping[str, Sequence[Any]] = {}
    kept: bool = False


@frozen
class Judged:
    """What was right of one prompt, in shares; a figure that it says nothing about is not there."""

    prompt: Prompt
    shares: Mapping[str, float]


def main() -> int:
    """Measure, and print as the last line one JSON object; 0 if every language reaches the goals."""
    parser = argparse.ArgumentParser(prog="languages", description=__doc__)
    parser.add_argument("--language", action="append", help="only these, beside English")
    parser.add_argument("--without-model", action="store_true", help="by words alone, as where there is no model")
    parser.add_argument("--model-dir", type=Path, help="another model than the installed one")
    parser.add_argument(
        "--everyday", action="store_true", help="other prompts, some of them kept from those who wrote rules"
    )
    parser.add_argument("--wrong", action="store_true", help="print every prompt of which something is wrong")
    options = parser.parse_args()
    arguments = ["--without-model"] if options.without_model else []
    arguments += ["--model-dir", str(options.model_dir)] if options.model_dir else []
    every = prompts(EVERYDAY if options.everyday else PROMPTS)
    suite = [each for each in every if not options.language or each.language in (*options.language, ENGLISH)]
    chosen = predicted(suite, arguments, given=False)
    filled = predicted(suite, arguments, given=True)
    judged = [judge(*each) for each in zip(suite, chosen, filled, strict=True)]
    if options.wrong:
        show_wrong(judged, chosen, filled)
    if options.everyday:
        show_kept(judged)
        return 0
    by_language = {
        language: means(each.shares for each in judged if each.prompt.language == language)
        for language in dict.fromkeys(each.language for each in suite)
    }
    show(by_language)
    figures = {language: with_ratios(figures, by_language[ENGLISH]) for language, figures in by_language.items()}
    met = all(each[name] >= goal for each in figures.values() for name, goal in GOALS.items())
    print(json.dumps({"name": "languages", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def prompts(path: Path = PROMPTS) -> list[Prompt]:
    """Read a suite."""
    return [prompt_of(json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def prompt_of(line: dict[str, Any]) -> Prompt:
    """Return the prompt of a line of the suite."""
    return Prompt(**{**line, "functions": tuple(line["functions"])})


def predicted(suite: Sequence[Prompt], options: Sequence[str], *, given: bool) -> list[dict[str, Any]]:
    """Return what the command answers to each prompt, or with which arguments, where the right function is `given`."""
    cases = [
        {"id": at, "prompt": each.prompt, "now": NOW, "function": each.functions[0] if given else None}
        for at, each in enumerate(suite)
        if each.functions or not given
    ]
    command = [str(Path(sys.executable).parent / "service-server"), "predict", "--arguments", *options]
    text = "".join(json.dumps(case) + "\n" for case in cases)
    lines = subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    answers = {answer["id"]: answer for answer in map(json.loads, lines)}
    return [answers.get(at, {"functions": []}) for at in range(len(suite))]


def judge(prompt: Prompt, chosen: Mapping[str, Any], filled: Mapping[str, Any]) -> Judged:
    """Return what is right of the answer from the whole catalogue, and of the arguments with the function given."""
    names = [each["name"] for each in chosen["functions"]]
    if not prompt.functions:
        return Judged(prompt, {"refused": float(not names)})
    near = [each["name"] for each in chosen.get("prediction", {}).get("alternatives", ())]
    for each in chosen["functions"]:
        near = [each["name"], *(other["name"] for other in each["prediction"]["alternatives"])]
    given = filled["functions"][0]["arguments"] if filled["functions"] else {}
    shares = {
        "function": float(bool(names) and names[0] in prompt.functions),
        "first_five": float(not set(prompt.functions).isdisjoint(near[:FIRST])),
        "arguments": float(right_arguments(prompt.arguments, given)),
        **shares_by_kind(prompt.arguments, given),
    }
    if prompt.names_app:  # else another app may serve as well, whose arguments are called otherwise
        right = names[:1] == [prompt.functions[0]]
        shares["whole_call"] = float(right and right_arguments(prompt.arguments, chosen["functions"][0]["arguments"]))
    return Judged(prompt, shares)


def right_arguments(wanted: Mapping[str, Sequence[Any]], given: Mapping[str, Any]) -> bool:
    """Whether arguments are all that was wanted, and nothing else."""
    return given.keys() <= wanted.keys() and all(
        any(same(given.get(name), value) for value in values) for name, values in wanted.items()
    )


def shares_by_kind(wanted: Mapping[str, Sequence[Any]], given: Mapping[str, Any]) -> dict[str, float]:
    """Return the share of right values among words, numbers and dates that may not be left out."""
    right: dict[str, list[bool]] = {}
    for name, values in wanted.items():
        if None not in values:
            is_right = any(same(given.get(name), value) for value in values)
            right.setdefault(kind_of(values[0]), []).append(is_right)
    return {kind: fmean(each) for kind, each in right.items()}


def kind_of(value: Any) -> str:
    """Return what sort of value it is: words, numbers or dates."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "numbers"
    return "dates" if isinstance(plain(value), date) else "words"


def same(given: Any, wanted: Any) -> bool:
    """Whether values are the same, whichever way their letters, ends and moments are written."""
    if isinstance(given, list) and isinstance(wanted, list):
        return len(given) == len(wanted) and all(map(same, given, wanted))
    return bool(plain(given) == plain(wanted)) and isinstance(given, bool) == isinstance(wanted, bool)


def plain(value: Any) -> Any:
    """Return a text as the moment that it says, else without what encloses it and in small letters."""
    if not isinstance(value, str):
        return value
    if value[:4].isdigit() and value[4:5] == "-":
        try:
            return datetime.fromisoformat(value).replace(tzinfo=None)
        except ValueError:
            pass
    return value.strip(" \"'«»„“”「」.:!?。").casefold()


def means(shares: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each figure over the prompts that say something about it, in percent."""
    lists: dict[str, list[float]] = {}
    for each in shares:
        for name, share in each.items():
            lists.setdefault(name, []).append(share)
    return {name: round(100 * fmean(lists[name]), 1) for name in HEADINGS if name in lists}


def with_ratios(figures: Mapping[str, float], english: Mapping[str, float]) -> dict[str, float]:
    """Return figures, and of each by how much it is that of English."""
    ratios = {f"{name}_ratio": round(figures[name] / english[name], 2) for name in figures if english.get(name)}
    return {**figures, **{f"{name}_ratio": 0.0 for name in ("function", "arguments")}, **ratios}


def show(by_language: Mapping[str, Mapping[str, float]]) -> None:
    """Print the figures of each language as a table."""
    print(f"| % | {' | '.join(HEADINGS.values())} |\n|---|{'---|' * len(HEADINGS)}")
    for language, figures in by_language.items():
        print(f"| {language} | {' | '.join(f'{figures[name]:.0f}' if name in figures else '' for name in HEADINGS)} |")


def show_kept(judged: Sequence[Judged]) -> None:
    """Print the figures of the prompts that were looked at and of those that were kept, and both as JSON."""
    figures = {
        name: {
            language: means(
                each.shares for each in judged if (each.prompt.language, each.prompt.kept) == (language, kept)
            )
            for language in dict.fromkeys(each.prompt.language for each in judged)
        }
        for name, kept in (("looked_at", False), ("kept", True))
    }
    for name, by_language in figures.items():
        print(f"\n{name.replace('_', ' ')}:")
        show(by_language)
    print(json.dumps({"name": "languages", "everyday": figures}))


def show_wrong(
    judged: Sequence[Judged], chosen: Sequence[Mapping[str, Any]], filled: Sequence[Mapping[str, Any]]
) -> None:
    """Print each prompt of which something is wrong, with what came instead."""
    for each, of_all, of_one in zip(judged, chosen, filled, strict=True):
        wrong = [name for name, share in each.shares.items() if share < 1]
        if wrong:
            came = list(names_and_arguments(of_all, of_one))
            print(f"{each.prompt.language} {each.prompt.prompt}\n   {', '.join(wrong)}: {came}")


def names_and_arguments(of_all: Mapping[str, Any], of_one: Mapping[str, Any]) -> Iterator[str]:
    """Yield the function that was chosen from all, and the arguments with which the right one was filled."""
    yield from (each["name"] for each in of_all["functions"])
    yield from (json.dumps(each["arguments"], ensure_ascii=False) for each in of_one["functions"])


if __name__ == "__main__":
    sys.exit(main())

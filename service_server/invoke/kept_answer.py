"""What an idempotency key keeps of a result: all of it, or a note that it was too large to keep."""

from typing import Any

from service_client.models import CallResult
from service_server.json_texts.json_text import JsonText


def kept_answer(result: CallResult, limit_bytes: int) -> dict[str, Any]:
    """Return the answer that repeats of the call will get; the output is JSON text of at most `limit_bytes`."""
    output = result.output if isinstance(result.output, JsonText) else JsonText.of(result.output)
    if len(output.text) > limit_bytes:
        output = JsonText.of(not_kept(f"the answer of the first call was larger than {limit_bytes} bytes"))
    return {"network_code": result.network_code, "output": output.text.decode(), "next_page": result.next_page}


def answer_of(kept: dict[str, Any]) -> CallResult:
    """Return the result that was kept."""
    return CallResult(**{**kept, "output": JsonText(kept["output"].encode())})


def not_kept(reason: str) -> dict[str, str]:
    """The output of a repeat whose first answer is gone; the call was executed, and its network code stays the same."""
    return {"error": "answer_not_kept", "reason": f"{reason}; the call was carried out, look in the app for the rest"}


def unknown_outcome() -> CallResult:
    """The result of a call that was sent and whose answer nobody saw."""
    reason = "the service stopped after sending this call and before seeing the answer; check in the app"
    return CallResult(network_code="502", output={"error": "outcome_unknown", "reason": reason})

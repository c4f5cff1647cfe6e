"""Build the encoder as an ONNX graph with 8-bit weights; needed once, when a model is installed."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

WIDTH, HEADS = 384, 12
_EPSILON = 1e-12
_OPSET = 20
_IR_VERSION = 10
_CONTRIB = "com.microsoft"  # the operators that ONNX Runtime adds to the standard's
_SMALLEST_OUTSIDE = 4096  # bytes of a matrix

Weights = Mapping[str, NDArray[np.float32]]


class _Graph:
    """Collects the nodes and weights of a graph; every method returns the name of what it adds."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def weight(self, name: str, value: NDArray[Any]) -> str:
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: list[str], **attributes: Any) -> str:
        output = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def linear(self, name: str, x: str, weight: NDArray[Any], bias: NDArray[Any]) -> str:
        product = self.node("MatMul", [x, self.weight(f"{name}.weight", weight.T)])
        return self.node("Add", [product, self.weight(f"{name}.bias", bias)])

    def normalised(self, name: str, x: str, weights: Weights) -> str:
        scale = self.weight(f"{name}.weight", weights[f"{name}.weight"])
        bias = self.weight(f"{name}.bias", weights[f"{name}.bias"])
        return self.node("LayerNormalization", [x, scale, bias], axis=-1, epsilon=_EPSILON)


def build_encoder(weights: Weights, file: Path) -> None:
    """
    Write the encoder that some weights (named as in the base encoder) make up, in 8 bits.

    Its matrices are in a file beside it, `weights_of(file)`, which all processes that run it share by mapping it.

    Inputs: `ids` and `segments`, int64 [sheets, length], and the places `wanted`, int64 [places]. Output: `states` of
    these places, float32 [sheets, places, 384]; the last layer leaves out what only the others would need.
    """
    graph = _Graph()
    word_table = graph.weight("words", weights["embeddings.word_embeddings.weight"])
    words = graph.node("Gather", [word_table, "ids"])
    segments = graph.node(
        "Gather", [graph.weight("kinds", weights["embeddings.token_type_embeddings.weight"]), "segments"]
    )
    places = _places(graph, weights)
    embedded = graph.node("Add", [graph.node("Add", [words, segments]), places])
    x = graph.normalised("embeddings.LayerNorm", embedded, weights)
    last = _layers(weights) - 1
    for at in range(last + 1):
        x = _layer(graph, f"encoder.layer.{at}.", x, weights, "wanted" if at == last else None)
    graph.nodes.append(helper.make_node("Identity", [x], ["states"]))
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "encoder",
            [
                helper.make_tensor_value_info("ids", TensorProto.INT64, ["sheets", "length"]),
                helper.make_tensor_value_info("segments", TensorProto.INT64, ["sheets", "length"]),
                helper.make_tensor_value_info("wanted", TensorProto.INT64, ["places"]),
            ],
            [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["sheets", "places", WIDTH])],
            graph.weights,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)],
        ir_version=_IR_VERSION,
    )
    full, quantised = file.with_suffix(".full"), file.with_suffix(".quantised")
    # Nothing here needs the preparation for quantisation; without this it warns.
    helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
    onnx.save(model, full)
    try:
        with _silenced_root_log():
            quantize_dynamic(
                full,
                quantised,
                op_types_to_quantize=["MatMul", "Gather"],
                per_channel=True,
                reduce_range=True,  # 7 bits: processors without VNNI add products in too few bits for 8
                weight_type=QuantType.QInt8,
                extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT},
            )
        onnx.save(
            onnx.load(quantised),
            file,
            save_as_external_data=True,
            location=weights_of(file).name,
            size_threshold=_SMALLEST_OUTSIDE,
        )
        weights_of(file).chmod(file.stat().st_mode)  # or only its writer could read it
    finally:
        for each in (full, quantised):
            each.unlink(missing_ok=True)


def weights_of(file: Path) -> Path:
    """Where the matrices of an encoder are."""
    return file.with_suffix(".weights")


@contextmanager
def _silenced_root_log() -> Iterator[None]:
    """Keep quantisation from logging every node to the root logger; warnings pass."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(max(level, logging.WARNING))
    try:
        yield
    finally:
        root.setLevel(level)


def _layers(weights: Weights) -> int:
    return sum(name.endswith(".attention.self.query.weight") for name in weights)


def _places(graph: _Graph, weights: Weights) -> str:
    table = graph.weight("places", weights["embeddings.position_embeddings.weight"])
    shape = graph.node("Shape", ["ids"], start=1, end=2)
    zero, axes = graph.weight("zero", np.array([0], np.int64)), graph.weight("first_axis", np.array([0], np.int64))
    return graph.node("Slice", [table, zero, shape, axes])


def _layer(graph: _Graph, prefix: str, x: str, weights: Weights, wanted: str | None = None) -> str:
    """Add a layer; with `wanted`, the places of the states that anybody looks at, only these come out of it."""
    own = {part: f"{prefix}attention.self.{part}" for part in ("query", "key", "value")}
    parts = {part: f"{prefix}{part}" for part in own if wanted is None or part != "query"}  # one product for all
    weight, bias = (
        np.concatenate([weights[f"{own[part]}.{kind}"] for part in parts]).astype(np.float32)
        for kind in ("weight", "bias")
    )
    sizes = graph.weight(f"{prefix}sizes", np.array([WIDTH] * len(parts), np.int64))
    joined = graph.linear(f"{prefix}joined", x, weight, bias)
    graph.nodes.append(helper.make_node("Split", [joined, sizes], list(parts.values()), axis=-1))
    if wanted is not None:
        x = graph.node("Gather", [x, wanted], axis=1)
        query = own["query"]
        parts["query"] = graph.linear(f"{prefix}query", x, weights[f"{query}.weight"], weights[f"{query}.bias"])
    inputs = [parts[part] for part in own]
    mixed = graph.node("MultiHeadAttention", inputs, domain=_CONTRIB, num_heads=HEADS)
    name = f"{prefix}attention.output.dense"
    product = graph.linear(name, mixed, weights[f"{name}.weight"], weights[f"{name}.bias"])
    x = graph.normalised(f"{prefix}attention.output.LayerNorm", graph.node("Add", [product, x]), weights)
    name = f"{prefix}intermediate.dense"
    inner = graph.node("Gelu", [graph.linear(name, x, weights[f"{name}.weight"], weights[f"{name}.bias"])])
    name = f"{prefix}output.dense"
    product = graph.linear(name, inner, weights[f"{name}.weight"], weights[f"{name}.bias"])
    return graph.normalised(f"{prefix}output.LayerNorm", graph.node("Add", [product, x]), weights)

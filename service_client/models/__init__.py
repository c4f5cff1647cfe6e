"""
The words on the wire: every resource, error code and signature of the contract.

The server imports this package and nothing else from the client, so that both sides spell each word once.
"""

from service_client.models.app import App, AppList, ConnectedAccount
from service_client.models.call import CallResult, Fact, Outcome
from service_client.models.codes import Action, Code
from service_client.models.connect import ConnectSession, ConnectSessionState, ConnectStatus
from service_client.models.converter import CONVERTER
from service_client.models.error import ErrorDetail, ErrorEnvelope
from service_client.models.file import File
from service_client.models.function import Function, FunctionList, FunctionType, Parameters
from service_client.models.meta import FIELD_TYPES, DynamicFields, FieldMeta, FunctionApp, FunctionMeta, Source
from service_client.models.prediction import Alternative, Prediction, ValueChoice
from service_client.models.session_token import SessionToken
from service_client.models.signature import sign

__all__ = [
    "CONVERTER",
    "FIELD_TYPES",
    "Action",
    "Alternative",
    "App",
    "AppList",
    "CallResult",
    "Code",
    "ConnectSession",
    "ConnectSessionState",
    "ConnectStatus",
    "ConnectedAccount",
    "DynamicFields",
    "ErrorDetail",
    "ErrorEnvelope",
    "Fact",
    "FieldMeta",
    "File",
    "Function",
    "FunctionApp",
    "FunctionList",
    "FunctionMeta",
    "FunctionType",
    "Outcome",
    "Parameters",
    "Prediction",
    "SessionToken",
    "Source",
    "ValueChoice",
    "sign",
]

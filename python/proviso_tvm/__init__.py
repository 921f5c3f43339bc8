"""Checks what TVM's passes and schedules do, by Proviso."""

from .checker import Checker
from .errors import NotExported
from .export import Exported, export
from .passes import ValidatePasses
from .schedules import ValidateSchedule

__all__ = ["Checker", "Exported", "NotExported", "ValidatePasses", "ValidateSchedule", "export"]

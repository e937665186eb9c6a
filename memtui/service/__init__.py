"""The memory service: every rule of the contract, and nothing about screens or wires."""

from memtui.service.memory_service import MemoryService

__all__ = ["MemoryService"]

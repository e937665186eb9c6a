"""For autogen-ext's tests of `ChromaDBVectorMemory`: its settings, said in memtui's words.

Memtui embeds nothing: an embedding function is only made, as ChromaDB would make it.
"""

from __future__ import annotations

from pathlib import Path

from autogen_core import CancellationToken, Component
from autogen_core.memory import MemoryContent

from memtui.integrations.autogen import MemtuiMemory
from tests.integrations.shims import stand_in

stand_in("chromadb", "chromadb.api", "chromadb.api.models.Collection", "chromadb.api.types")

import autogen_ext.memory.chromadb as replaced  # noqa: E402  # it imports the ones above


class ChromaOnMemtui(MemtuiMemory, Component[replaced.ChromaDBVectorMemoryConfig]):
    component_config_schema = replaced.PersistentChromaDBVectorMemoryConfig
    component_provider_override = "autogen_ext.memory.chromadb.ChromaDBVectorMemory"

    def __init__(self, config: replaced.PersistentChromaDBVectorMemoryConfig) -> None:
        self._chroma = config
        super().__init__(
            Path(config.persistence_path) / "memories.db",
            scope=config.collection_name,
            limit=config.k,
            score_threshold=config.score_threshold or 0.0,
            attachments="refuse",
        )

    @property
    def collection_name(self) -> str:
        return self.scope

    async def add(
        self, content: MemoryContent, cancellation_token: CancellationToken | None = None
    ) -> None:
        embedding = self._chroma.embedding_function_config
        if embedding.function_type == "custom":
            embedding.function(**embedding.params)
        await super().add(content, cancellation_token)

    async def reset(self) -> None:
        assert self._chroma.allow_reset
        await self.clear()

    def _to_config(self) -> replaced.PersistentChromaDBVectorMemoryConfig:
        return self._chroma

    @classmethod
    def _from_config(cls, config):
        return cls(config)


replaced.ChromaDBVectorMemory = ChromaOnMemtui

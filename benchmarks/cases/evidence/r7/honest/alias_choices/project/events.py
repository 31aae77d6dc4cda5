from pydantic import AliasChoices, BaseModel, Field


class LevelEvent(BaseModel):
    """`litres` is what the tank calls it."""

    volume: float = Field(validation_alias=AliasChoices("volume", "litres"))

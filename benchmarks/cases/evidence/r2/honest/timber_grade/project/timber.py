from pydantic import BaseModel, ConfigDict, Field

from graphbus_core import GraphBusNode, depends_on, schema_method


class Graded(BaseModel):
    moisture: float
    species: str


class KilnJob(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    water_share: float = Field(alias="moisture")
    species: str


class Sorter(GraphBusNode):
    @schema_method
    def grade(self, trunk: int) -> Graded:
        return Graded(moisture=0.5, species="larch")


class Kiln(GraphBusNode):
    @depends_on("Sorter.grade")
    @schema_method
    def dry(self, water_share: float, species: str) -> dict[str, float]:
        job = KilnJob(water_share=water_share, species=species)
        return {"hours": job.water_share * 48}

from pydantic import BaseModel


class Slip(BaseModel):
    body_height: int
    level: str

from graphbus_core import GraphBusNode, depends_on, schema_method


class Camera(GraphBusNode):
    @schema_method(input_schema={"subject": str}, output_schema={"frame": str})
    def shoot(self, subject):
        return {"frame": subject.upper()}


class Developer(GraphBusNode):
    @depends_on("Camera.shoot")
    @schema_method(input_schema={"negative": str}, output_schema={"print": str})
    def bathe(self, negative):
        return {"print": negative[::-1]}


async def session():
    import asyncio

    shot = await asyncio.to_thread(Camera().shoot, "cat")
    done = await asyncio.to_thread(Developer().bathe, negative=shot["frame"])
    return done["print"]

from graphbus_core import GraphBusNode, schema_method, subscribe


class Uploader(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"file": str, "thumbnail": str})
    def finish(self, name):
        done = {"file": f"{name}.mp4", "thumbnail": f"{name}_s.jpg"}
        self.publish("/media/uploaded", done)
        return done


class Gallery(GraphBusNode):
    @subscribe("/media/uploaded")
    @schema_method(input_schema={"thumb": str}, output_schema={"html": str})
    def on_upload(self, event):
        return {"html": f"<img src='{event['thumb']}'>"}

export * from "d3-force";

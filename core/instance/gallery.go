package instance

var examples []Example

package decide

import (
	"syscall/js"
	"time"
)

// cpu is the processor time used so far, as Node counts it.
func cpu() time.Duration {
	u := js.Global().Get("process").Call("cpuUsage")
	return time.Duration(u.Get("user").Int()+u.Get("system").Int()) * time.Microsecond
}

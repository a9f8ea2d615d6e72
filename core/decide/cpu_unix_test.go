//go:build unix

package decide

import (
	"syscall"
	"time"
)

// cpu is the processor time used so far, which other work on the machine does
// not change.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

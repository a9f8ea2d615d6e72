//go:build !unix

package bound

import "time"

var began = time.Now()

// cpu is the time since the start, where the processor time is not to be had.
func cpu() time.Duration { return time.Since(began) }

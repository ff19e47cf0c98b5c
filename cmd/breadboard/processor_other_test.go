//go:build !unix

package main

import "time"

// processorTime is the time of the clock where processes do not know better.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }

// Package certify doc to come.
package certify

// The name of a plugin: words of a-z and 0-9. It is a folder's name and stands on the screen, so nothing else may
// be in it. Shared by manifests, profiles and requests.

export const PLUGIN_NAME = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;

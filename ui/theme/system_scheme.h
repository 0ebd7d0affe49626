// What the desktop says about light and dark. Qt 6.4 has no colour scheme of its own.
#pragma once

#include <QObject>
#include <functional>

class QDBusVariant;

namespace synperf::ui {

/// Asks the desktop portal (org.freedesktop.appearance color-scheme) without waiting, and follows its changes. Silent
/// where there is no session bus.
class SystemScheme : public QObject {
    Q_OBJECT
public:
    /// `report` is called with true for "prefers dark", false for "prefers light"; never for "no preference".
    explicit SystemScheme(std::function<void(bool)> report, QObject* parent = nullptr);

private slots:
    void settingChanged(const QString& name, const QString& key, const QDBusVariant& value);

private:
    void take(unsigned scheme) const;
    std::function<void(bool)> report_;
};

}  // namespace synperf::ui
